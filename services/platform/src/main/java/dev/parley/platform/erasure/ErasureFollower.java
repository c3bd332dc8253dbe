package dev.parley.platform.erasure;

import dev.parley.domain.Ids;
import dev.parley.domain.access.AccessRecord;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.erasure.ErasureRecord;
import dev.parley.domain.erasure.ErasureRecord.AgentGone;
import dev.parley.domain.erasure.ErasureRecord.Removed;
import dev.parley.domain.erasure.ErasureRecord.SessionGone;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Subscription;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
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
 * Removes erased data from a service, retries until it succeeds, and reports it on {@code erasures}. One instance
 * receives each session and deleted agent, every instance people and projects; so removal must be idempotent.
 */
public final class ErasureFollower implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(ErasureFollower.class);
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    private static final long SEND_SECONDS = 10;

    /** Removes what a service keeps of something. */
    @FunctionalInterface
    public interface Removal<T> {
        /** @return how many things went; empty while not all of them can: it is asked again */
        OptionalLong of(T erased) throws InterruptedException;
    }

    private final String name;
    private final String service;
    private final KafkaClients clients;
    private final @Nullable Subscription<ErasureRecord> subscription;
    private final @Nullable AccessFollower directory;
    private final Removal<AccessRecord> removal;
    private final Set<UUID> done = new HashSet<>();
    private volatile boolean stopped;
    private @Nullable Thread thread;
    private @Nullable Producer<byte[], byte[]> producer;

    private ErasureFollower(
            String service,
            KafkaClients clients,
            AccessFollower directory,
            String what,
            Removal<AccessRecord> removal) {
        this.name = service + "-erased-" + what;
        this.service = service;
        this.clients = clients;
        this.subscription = null;
        this.directory = directory;
        this.removal = removal;
    }

    private <T extends ErasureRecord> ErasureFollower(
            String service, KafkaClients clients, String group, Class<T> type, Removal<T> removal) {
        this.name = group;
        this.service = service;
        this.clients = clients;
        this.subscription = new Subscription<>(clients, Topics.ERASURES, name, record -> {
            if (type.isInstance(record)) {
                take(type.cast(record), removal);
            }
        });
        this.directory = null;
        this.removal = _ -> OptionalLong.empty();
    }

    /** Follows erased sessions. @param service as receipts call it */
    public static ErasureFollower ofSessions(String service, KafkaClients clients, Removal<SessionGone> removal) {
        return new ErasureFollower(service, clients, "parley-" + service + "-erasures", SessionGone.class, removal);
    }

    /** Follows deleted agents. @param service as receipts call it */
    public static ErasureFollower ofAgents(String service, KafkaClients clients, Removal<AgentGone> removal) {
        return new ErasureFollower(service, clients, "parley-" + service + "-agent-erasures", AgentGone.class, removal);
    }

    /** Follows erased people. @param service as receipts call it */
    public static ErasureFollower ofPeople(
            String service, KafkaClients clients, AccessFollower directory, Removal<Account> removal) {
        return new ErasureFollower(
                service,
                clients,
                directory,
                "people",
                record -> record instanceof Account account ? removal.of(account) : OptionalLong.empty());
    }

    /** Follows erased projects. @param service as receipts call it */
    public static ErasureFollower ofProjects(
            String service, KafkaClients clients, AccessFollower directory, Removal<Project> removal) {
        return new ErasureFollower(
                service,
                clients,
                directory,
                "projects",
                record -> record instanceof Project project ? removal.of(project) : OptionalLong.empty());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void start() {
        producer = clients.producer(name);
        if (subscription != null) {
            subscription.start();
        }
        if (directory != null) {
            thread = Thread.ofVirtual().name(name).start(() -> run(directory));
        }
    }

    private <T extends ErasureRecord> void take(T gone, Removal<T> its) {
        try {
            OptionalLong removed = its.of(gone);
            if (removed.isEmpty()) {
                throw new IllegalStateException("not all of what is erased is removed yet");
            }
            tell(gone.erasure(), gone.host(), removed.getAsLong());
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("it cannot be said what is removed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void run(AccessFollower known) {
        boolean failed = false;
        try {
            while (!stopped) {
                try {
                    for (AccessRecord record : known.erased()) {
                        follow(record);
                    }
                    failed = false;
                } catch (RuntimeException | ExecutionException | TimeoutException e) {
                    if (!failed) {
                        LOG.atWarn().setCause(e).log("{} could not be removed; retrying", name);
                    }
                    failed = true;
                }
                TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void follow(AccessRecord record) throws ExecutionException, TimeoutException, InterruptedException {
        UUID erasure = switch (record) {
            case Account account -> account.erasure();
            case Project project -> project.erasure();
            default -> null;
        };
        if (erasure != null && !done.contains(erasure)) {
            OptionalLong removed = removal.of(record);
            if (removed.isPresent()) {
                tell(erasure, record.host(), removed.getAsLong());
                done.add(erasure);
            }
        }
    }

    private void tell(UUID erasure, UUID host, long rows)
            throws ExecutionException, TimeoutException, InterruptedException {
        var removed = new Removed(erasure, host, service, rows, Instant.now());
        Objects.requireNonNull(producer, "it was not started")
                .send(RecordCodec.record(
                        Topics.ERASURES, removed.key(), removed, Ids.of("removed", removed.key()), null))
                .get(SEND_SECONDS, TimeUnit.SECONDS);
    }

    /** Whoever asks the API does not have to wait for people and projects. */
    @Override
    public Optional<String> problem() {
        return subscription == null ? Optional.empty() : subscription.problem();
    }

    @Override
    public void close() {
        stopped = true;
        if (subscription != null) {
            subscription.close();
        }
        if (thread != null) {
            thread.interrupt();
        }
        if (producer != null) {
            producer.close();
        }
    }
}
