package dev.parley.platform.personal;

import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.http.HttpStatus;
import io.micronaut.json.JsonMapper;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Streams exports of personal data: a limited number at a time, one for each user. */
@Singleton
@Requires(beans = PersonalData.class)
final class PersonalExports {
    static final int FORMAT = 1;

    private static final Logger LOG = LoggerFactory.getLogger(PersonalExports.class);
    private static final int MAX_RUNNING = 4;
    private static final int BUFFER = 1 << 16;
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    private final List<PersonalData> services;
    private final JsonMapper json;
    private final Semaphore running = new Semaphore(MAX_RUNNING);
    private final Set<String> busy = ConcurrentHashMap.newKeySet();

    PersonalExports(List<PersonalData> services, JsonMapper json) {
        this.services = services.stream()
                .sorted(Comparator.comparing(PersonalData::part))
                .toList();
        this.json = json;
    }

    /**
     * The last entry of an archive.
     *
     * @param absent the parts of other processes
     * @param counts of written and omitted data
     */
    @Serdeable
    record Manifest(
            int format,
            String user,
            Instant begunAt,
            Instant endedAt,
            List<String> parts,
            List<String> absent,
            Map<String, Long> counts) {}

    /**
     * Starts an export, which is written while it is read. Reading an incomplete one ends with an exception.
     *
     * @throws ApiException 409 while another export of the user is running here, 429 while too many others are
     */
    InputStream begin(Caller caller) {
        String user = caller.host() + "/" + caller.user();
        reserve(user);
        var pipe = new Pipe(TIMEOUT, LONGEST);
        Thread.ofVirtual()
                .name("export " + user)
                .start(PropagatedContext.getOrEmpty().wrap(() -> {
                    try {
                        write(caller, pipe);
                    } finally {
                        running.release();
                        busy.remove(user);
                    }
                }));
        return pipe.in();
    }

    private void reserve(String user) {
        if (!busy.add(user)) {
            throw new ApiException(
                            HttpStatus.CONFLICT, "export_running", "You are at another export; wait until it ends.")
                    .retryAfter(Duration.ofSeconds(30));
        }
        if (!running.tryAcquire()) {
            busy.remove(user);
            throw new ApiException(
                            HttpStatus.TOO_MANY_REQUESTS,
                            "exports_busy",
                            "This process is at the exports of others; try again later.")
                    .retryAfter(Duration.ofSeconds(30));
        }
    }

    private void write(Caller caller, Pipe pipe) {
        Instant started = Instant.now();
        try (var archive = new PersonalArchive(new BufferedOutputStream(pipe.out(), BUFFER), json, caller)) {
            try {
                for (PersonalData service : services) {
                    service.write(caller, archive);
                }
                archive.json("manifest.json", manifest(caller, started, archive));
            } catch (IOException | RuntimeException e) {
                pipe.fail(new IOException(
                        "the export broke off", e)); // before the archive is closed as if it were complete
                throw e;
            }
        } catch (IOException e) {
            LOG.atInfo().addKeyValue("user", caller.user()).setCause(e).log("export stream ended by an error");
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("user", caller.user()).setCause(e).log("an export failed");
        }
    }

    private Manifest manifest(Caller caller, Instant started, PersonalArchive archive) {
        List<String> parts = services.stream().map(PersonalData::part).toList();
        List<String> absent = PersonalData.PARTS.stream()
                .filter(part -> !parts.contains(part))
                .toList();
        return new Manifest(FORMAT, caller.user(), started, Instant.now(), parts, absent, archive.counts());
    }
}
