package dev.parley.tools.files;

import dev.parley.domain.Ids;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.erasure.ErasureRecord.Removed;
import dev.parley.platform.access.Directory;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.kafka.Wire;
import dev.parley.platform.service.Service;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the workspaces of erased projects, and says so; and what nobody needs any more of all others. Every instance does it; a second
 * time changes nothing.
 */
public final class Upkeep implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration TIDY = Duration.ofHours(6);
    private static final String SERVICE = "tools";
    private static final long SEND_SECONDS = 10;

    private final Workspaces workspaces;
    private final Directory directory;
    private final KafkaClients clients;
    private final Set<UUID> done = new HashSet<>();
    private long tidyNext = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    private @Nullable Thread thread;
    private volatile boolean stopped;

    /** @param directory says which projects are erased */
    public Upkeep(Workspaces workspaces, Directory directory, KafkaClients clients) {
        this.workspaces = workspaces;
        this.directory = directory;
        this.clients = clients;
    }

    @Override
    public String name() {
        return "workspaces";
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name("workspaces").start(this::run);
    }

    private void run() {
        boolean failed = false;
        try (Producer<byte[], byte[]> producer = clients.producer("workspaces")) {
            while (!stopped) {
                try {
                    look(producer);
                    failed = false;
                } catch (RuntimeException | ExecutionException | TimeoutException | IOException e) {
                    if (!failed) {
                        LOG.atWarn().setCause(e).log("workspaces cannot be looked after now; it is tried again");
                    }
                    failed = true;
                }
                TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(Producer<byte[], byte[]> producer)
            throws IOException, ExecutionException, TimeoutException, InterruptedException {
        for (var record : directory.erased()) {
            if (record instanceof Project project && project.erasure() != null && !done.contains(project.erasure())) {
                erase(project, project.erasure(), producer);
            }
        }
        if (System.nanoTime() - tidyNext >= 0) {
            tidyNext = System.nanoTime() + TIDY.toNanos();
            workspaces.tidy();
        }
    }

    private void erase(Project project, UUID erasure, Producer<byte[], byte[]> producer)
            throws ExecutionException, TimeoutException, InterruptedException {
        long rows = workspaces.erase(project.host(), project.project());
        var removed = new Removed(erasure, project.host(), SERVICE, rows, Instant.now());
        producer.send(Wire.record(Topics.ERASURES, removed.key(), removed, Ids.of("removed", removed.key()), null))
                .get(SEND_SECONDS, TimeUnit.SECONDS);
        done.add(erasure);
    }

    @Override
    public Optional<String> problem() {
        return Optional.empty();
    }

    @Override
    public void close() {
        stopped = true;
        if (thread != null) {
            thread.interrupt();
        }
    }
}
