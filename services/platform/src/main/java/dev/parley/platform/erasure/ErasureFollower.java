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
import dev.parley.platform.service.Recurring;
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
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/**
 * Removes erased data from a service, retries until it succeeds, and reports it on {@code erasures}. One instance
 * receives each session and deleted agent, every instance people and projects; so removal must be idempotent.
 */
public final class ErasureFollower implements Service {
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    private static final long SEND_SECONDS = 10;

    /** Removes the data of a service about an erased subject. */
    @FunctionalInterface
    public interface Removal<T> {
        /** @return number of removed rows; empty while some cannot be removed yet: it is retried */
        OptionalLong of(T erased) throws InterruptedException;
    }

    private final String service;
    private final KafkaClients clients;
    private final Service source;
    private @Nullable Producer<byte[], byte[]> producer;

    private <T extends AccessRecord> ErasureFollower(
            String service,
            KafkaClients clients,
            AccessFollower directory,
            String subjects,
            Class<T> type,
            Function<T, @Nullable UUID> erasure,
            Removal<T> removal) {
        this.service = service;
        this.clients = clients;
        this.source = new DirectoryRemovals<>(service + "-erased-" + subjects, directory, type, erasure, removal);
    }

    private <T extends ErasureRecord> ErasureFollower(
            String service, KafkaClients clients, String group, Class<T> type, Removal<T> removal) {
        this.service = service;
        this.clients = clients;
        this.source = new Subscription<>(clients, Topics.ERASURES, group, record -> {
            if (type.isInstance(record)) {
                remove(type.cast(record), removal);
            }
        });
    }

    /**
     * Follows erased sessions.
     *
     * @param service its name in receipts
     */
    public static ErasureFollower ofSessions(String service, KafkaClients clients, Removal<SessionGone> removal) {
        return new ErasureFollower(service, clients, "parley-" + service + "-erasures", SessionGone.class, removal);
    }

    /**
     * Follows deleted agents.
     *
     * @param service its name in receipts
     */
    public static ErasureFollower ofAgents(String service, KafkaClients clients, Removal<AgentGone> removal) {
        return new ErasureFollower(service, clients, "parley-" + service + "-agent-erasures", AgentGone.class, removal);
    }

    /**
     * Follows erased people.
     *
     * @param service its name in receipts
     */
    public static ErasureFollower ofPeople(
            String service, KafkaClients clients, AccessFollower directory, Removal<Account> removal) {
        return new ErasureFollower(service, clients, directory, "people", Account.class, Account::erasure, removal);
    }

    /**
     * Follows erased projects.
     *
     * @param service its name in receipts
     */
    public static ErasureFollower ofProjects(
            String service, KafkaClients clients, AccessFollower directory, Removal<Project> removal) {
        return new ErasureFollower(service, clients, directory, "projects", Project.class, Project::erasure, removal);
    }

    @Override
    public String name() {
        return source.name();
    }

    @Override
    public void start() {
        producer = clients.producer(name());
        source.start();
    }

    private <T extends ErasureRecord> void remove(T erased, Removal<T> removal) {
        try {
            OptionalLong rows = removal.of(erased);
            if (rows.isEmpty()) {
                throw new IllegalStateException("some of the erased data is not removed yet");
            }
            report(erased.erasure(), erased.host(), rows.getAsLong());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Removes the data of erased people or projects, once in each process. */
    private final class DirectoryRemovals<T extends AccessRecord> extends Recurring {
        private final AccessFollower directory;
        private final Class<T> type;
        private final Function<T, @Nullable UUID> erasure;
        private final Removal<T> removal;
        private final Set<UUID> done = new HashSet<>();

        DirectoryRemovals(
                String name,
                AccessFollower directory,
                Class<T> type,
                Function<T, @Nullable UUID> erasure,
                Removal<T> removal) {
            super(name, Duration.ZERO, name + " could not be removed");
            this.directory = directory;
            this.type = type;
            this.erasure = erasure;
            this.removal = removal;
        }

        @Override
        protected void pass() throws InterruptedException {
            for (AccessRecord record : directory.erasedRecords()) {
                if (!isClosing() && type.isInstance(record)) {
                    remove(type.cast(record));
                }
            }
        }

        private void remove(T erased) throws InterruptedException {
            UUID id = erasure.apply(erased);
            if (id != null && !done.contains(id)) {
                OptionalLong rows = removal.of(erased);
                if (rows.isPresent()) {
                    report(id, erased.host(), rows.getAsLong());
                    done.add(id);
                }
            }
        }

        @Override
        protected Duration rest(boolean failed) {
            return POLL_INTERVAL;
        }
    }

    private void report(UUID erasure, UUID host, long rows) throws InterruptedException {
        var removed = new Removed(erasure, host, service, rows, Instant.now());
        try {
            Objects.requireNonNull(producer, "it was not started")
                    .send(RecordCodec.record(
                            Topics.ERASURES, removed.key(), removed, Ids.of("removed", removed.key()), null))
                    .get(SEND_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the removal could not be reported", e);
        }
    }

    /** Only of sessions and agents: API clients do not wait for erasures of people and projects. */
    @Override
    public Optional<String> problem() {
        return source.problem();
    }

    @Override
    public void close() {
        source.close();
        if (producer != null) {
            producer.close();
        }
    }
}
