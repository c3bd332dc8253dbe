package dev.parley.memory.view;

import dev.parley.domain.memory.MemoryEvent;
import dev.parley.memory.MemorySchema;
import dev.parley.platform.database.AdvisoryLock;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.Digest;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.projection.MovedException;
import dev.parley.platform.projection.ReplayReport;
import dev.parley.platform.projection.TopicEnd;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Rebuilds the memory tables from the topic. Projectors may keep running: they pause and resume after the replay.
 * Readers see the tables fill. Hand-written SQL: it truncates tables, on the owner's connections outside the pool.
 */
public final class MemoryReplay {
    /** The view tables, children before parents. */
    static final List<String> VIEWS = List.of(
            "agent_memory_link_t",
            "agent_memory_entity_cooccur_t",
            "agent_memory_unit_entity_t",
            "agent_memory_entity_t",
            "agent_memory_directive_t",
            "agent_memory_mental_model_t",
            "agent_memory_unit_version_t",
            "agent_memory_reflection_t",
            "agent_memory_unit_source_t",
            "agent_memory_unit_t",
            "agent_memory_doc_t",
            "agent_memory_bank_t");

    private static final int PARALLELISM =
            Math.clamp(Runtime.getRuntime().availableProcessors(), 2, Databases.MAX_CONNECTIONS);

    /** Favours throughput. */
    private static final Map<String, Object> FETCHING = Map.of(
            ConsumerConfig.FETCH_MIN_BYTES_CONFIG,
            1 << 20,
            ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
            100,
            ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
            8 << 20,
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            2_000);

    /** Waits for batches in progress and blocks new ones. */
    static final AdvisoryLock LOCK = new AdvisoryLock(MemorySchema.REPLAY_LOCK);

    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(30);

    private final DataSource owner;
    private final KafkaClients clients;
    private final Topic<MemoryEvent> topic;

    /** @param owner connects as the role that owns the tables, which may truncate them */
    public MemoryReplay(DataSource owner, KafkaClients clients, Topic<MemoryEvent> topic) {
        this.owner = owner;
        this.clients = clients;
        this.topic = topic;
    }

    /**
     * Replays the whole topic.
     *
     * @throws IllegalStateException where another replay is running
     * @throws SQLException where Postgres fails; the views are incomplete then, and the next replay or projector
     *     continues
     */
    public ReplayReport run() throws SQLException {
        try (Connection connection = owner.getConnection();
                Producer<byte[], byte[]> deadLetters = clients.producer("memory-replay-dead-letters")) {
            if (!LOCK.take(connection, LOCK_TIMEOUT)) {
                throw new IllegalStateException("another replay is running; wait until it ends");
            }
            try {
                return replay(Database.on(connection), deadLetters);
            } finally {
                LOCK.release(connection);
            }
        }
    }

    private ReplayReport replay(Database database, Producer<byte[], byte[]> deadLetters) throws SQLException {
        DeferredIndexes.restore(database);
        // Catches up with the events that a stopped projector left.
        project(new MemoryProjection(topic, database, deadLetters), partitions());
        Digest before = Digest.of(database, MemorySchema.NAME, VIEWS);
        empty(database);
        long start = System.nanoTime();
        Filled filled;
        try {
            filled = fill();
        } finally {
            DeferredIndexes.restore(database);
        }
        Duration duration = Duration.ofNanos(System.nanoTime() - start);
        return new ReplayReport(
                filled.events(), filled.rejected(), duration, before, Digest.of(database, MemorySchema.NAME, VIEWS));
    }

    private void empty(Database database) throws SQLException {
        String views =
                VIEWS.stream().map(view -> MemorySchema.NAME + "." + view).collect(Collectors.joining(", "));
        try (Connection connection = database.begin(Tenant.ALL);
                Statement statement = connection.createStatement();
                PreparedStatement watermarks = connection.prepareStatement(
                        "UPDATE memory.projection_offset_t SET \"offset\" = 0 WHERE topic = ?")) {
            statement.execute("TRUNCATE " + views);
            DeferredIndexes.defer(connection);
            watermarks.setString(1, topic.name());
            watermarks.executeUpdate();
            connection.commit();
        }
    }

    private List<TopicPartition> partitions() {
        try (Consumer<byte[], byte[]> consumer = clients.consumer("memory-replay", null, FETCHING)) {
            return List.copyOf(KafkaClients.partitions(consumer, topic));
        }
    }

    /** Result of filling partitions. */
    private record Filled(long events, long rejected) {
        Filled plus(Filled other) {
            return new Filled(events + other.events, rejected + other.rejected);
        }
    }

    /** Fills partitions in parallel, each on its own connection: no bank is in two of them. */
    private Filled fill() throws SQLException {
        try (ExecutorService threads = Executors.newFixedThreadPool(PARALLELISM)) {
            List<Future<Filled>> futures = partitions().stream()
                    .map(partition -> threads.submit(() -> fill(partition)))
                    .toList();
            try {
                return awaitAll(futures);
            } catch (ExecutionException e) {
                threads.shutdownNow();
                if (e.getCause() instanceof SQLException failed) {
                    throw failed;
                }
                throw new IllegalStateException("the views could not be filled: " + e.getCause(), e.getCause());
            } catch (InterruptedException e) {
                threads.shutdownNow();
                Thread.currentThread().interrupt();
                throw new InterruptException(e);
            }
        }
    }

    private static Filled awaitAll(List<Future<Filled>> partitions) throws ExecutionException, InterruptedException {
        var filled = new Filled(0, 0);
        for (Future<Filled> partition : partitions) {
            filled = filled.plus(partition.get());
        }
        return filled;
    }

    private Filled fill(TopicPartition partition) throws SQLException {
        try (Connection connection = owner.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SET synchronous_commit = off"); // the last transaction waits for all
            var projection = MemoryProjection.ofReplay(topic, Database.on(connection));
            long events = project(projection, List.of(partition));
            return new Filled(events, projection.rejectedCount());
        }
    }

    /**
     * Projects partitions from their watermarks to their current end.
     *
     * @return number of records
     */
    private long project(MemoryProjection projection, List<TopicPartition> partitions) throws SQLException {
        try (Consumer<byte[], byte[]> consumer = clients.consumer("memory-replay", null, FETCHING)) {
            return TopicEnd.project(projection, consumer, topic, partitions);
        } catch (MovedException e) {
            throw new IllegalStateException("another instance moved a watermark during the replay: run it again", e);
        }
    }
}
