package dev.parley.sessions.projection;

import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.database.AdvisoryLock;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Digest;
import dev.parley.platform.database.RowBatch;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.projection.MovedException;
import dev.parley.platform.projection.ReplayReport;
import dev.parley.platform.projection.TopicEnd;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds the views from the topic; the rows are equal to those before. Projectors may keep running: they pause and
 * resume after the replay. Readers see the views fill. Its SQL is by hand: it runs as the owner of the tables, on the
 * one connection that holds the lock.
 */
public final class SessionViewsReplay {
    /**
     * Held during a replay, while the views are incomplete; each batch of a projector shares it, so that a replay waits
     * for batches in progress and blocks new ones.
     */
    public static final AdvisoryLock LOCK = new AdvisoryLock(0x5041_5253_5245_504cL);

    /** The view tables, children before parents. */
    private static final List<String> VIEWS = List.of(
            "agent_session_history_t",
            "session_event_t",
            "todo_t",
            "turn_feedback_t",
            "handoff_t",
            "session_file_t",
            "tool_call_t",
            "model_call_t",
            "agent_message_part_t",
            "agent_message_t",
            "agent_turn_t",
            "agent_session_t",
            "project_t",
            "host_t");

    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(30);

    private final DataSource owner;
    private final KafkaClients clients;
    private final Topic<TurnEvent> topic;

    /** @param owner connects as the role that owns the tables, which may truncate them */
    public SessionViewsReplay(DataSource owner, KafkaClients clients, Topic<TurnEvent> topic) {
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
        long start = System.nanoTime();
        try (Connection connection = owner.getConnection()) {
            if (!LOCK.take(connection, LOCK_TIMEOUT)) {
                throw new IllegalStateException("another replay is running; wait until it ends");
            }
            try {
                return rebuild(Database.on(connection), start);
            } finally {
                LOCK.release(connection);
            }
        }
    }

    private ReplayReport rebuild(Database database, long start) throws SQLException {
        catchUp(database);
        Digest before = digest(database);
        empty(database);
        var registry = new SimpleMeterRegistry();
        project(database, registry, null);
        return new ReplayReport(
                count(registry, "parley_projected_events"),
                count(registry, "parley_projection_rejected"),
                Duration.ofNanos(System.nanoTime() - start),
                before,
                digest(database));
    }

    /** The digest of the current content of the views, of all hosts. */
    static Digest digest(Database database) throws SQLException {
        return Digest.of(database, "sessions", VIEWS);
    }

    private static long count(SimpleMeterRegistry registry, String name) {
        return registry.find(name).counters().stream()
                .mapToLong(counter -> (long) counter.count())
                .sum();
    }

    /** Projects the events that a stopped projector left, so that the digest before the replay covers all events. */
    private void catchUp(Database database) throws SQLException {
        try (Producer<byte[], byte[]> producer = clients.producer("replay-dead-letters")) {
            project(database, new SimpleMeterRegistry(), producer);
        }
    }

    private void empty(Database database) throws SQLException {
        try (Connection connection = database.begin(Tenant.ALL)) {
            empty(connection);
            connection.commit();
        }
    }

    private void empty(Connection connection) throws SQLException {
        RowBatch defaults = defaults(connection);
        try (Statement statement = connection.createStatement()) {
            statement.execute(VIEWS.stream().collect(Collectors.joining(", sessions.", "TRUNCATE sessions.", "")));
        }
        defaults.run(connection, """
                INSERT INTO sessions.host_t (host_id, name)
                SELECT DISTINCT host_id, 'default' FROM $rows AS r (host_id, project_id)
                """);
        defaults.run(connection, """
                INSERT INTO sessions.project_t (host_id, project_id, project_key)
                SELECT host_id, project_id, 'default' FROM $rows AS r (host_id, project_id)
                """);
        try (PreparedStatement statement =
                connection.prepareStatement("UPDATE sessions.projection_offset_t SET \"offset\" = 0 WHERE topic = ?")) {
            statement.setString(1, topic.name());
            statement.executeUpdate();
        }
    }

    /** The host and the project that the migration inserts. */
    private static RowBatch defaults(Connection connection) throws SQLException {
        var defaults = new RowBatch("uuid uuid");
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("""
                        SELECT host_id, project_id FROM sessions.host_t JOIN sessions.project_t USING (host_id)
                        WHERE name = 'default' AND project_key = 'default'
                        """)) {
            while (found.next()) {
                defaults.add(found.getObject(1), found.getObject(2));
            }
        }
        return defaults;
    }

    /** Projects from the watermarks to the current end of the topic. */
    private void project(
            Database database, SimpleMeterRegistry registry, @Nullable Producer<byte[], byte[]> deadLetters)
            throws SQLException {
        var projection =
                new TurnEventProjection("replay", topic, database, deadLetters, new ProjectionMetrics(registry));
        try (Consumer<byte[], byte[]> consumer =
                clients.consumer("replay", null, Map.of(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000))) {
            TopicEnd.project(projection, consumer, topic, KafkaClients.partitions(consumer, topic));
            while (projection.settle()) {
                // the next portion
            }
        } catch (MovedException e) {
            throw new IllegalStateException("another instance moved a watermark during the replay: run it again", e);
        }
    }
}
