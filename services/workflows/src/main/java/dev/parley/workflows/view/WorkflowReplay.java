package dev.parley.workflows.view;

import dev.parley.platform.database.AdvisoryLock;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Digest;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.projection.EventProjection;
import dev.parley.platform.projection.MovedException;
import dev.parley.platform.projection.ReplayReport;
import dev.parley.platform.projection.TopicEnd;
import dev.parley.workflows.WorkflowsSchema;
import java.sql.Connection;
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
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds the tables of processes and agents' questions from the topics. Running projectors share the work and finish
 * it.
 */
public final class WorkflowReplay {
    private static final Logger LOG = LoggerFactory.getLogger(WorkflowReplay.class);

    /** The views, children before their parents. */
    private static final List<String> VIEWS = List.of("task_asst_t", "task_info_t", "process_info_t");

    private static final AdvisoryLock LOCK = new AdvisoryLock(0x5041_5253_5752_504cL);
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(30);
    private static final String CLIENT = "workflow-replay";

    private final DataSource owner;
    private final KafkaClients clients;

    /** @param owner connects as the owner of the tables, the only role that can truncate them */
    public WorkflowReplay(DataSource owner, KafkaClients clients) {
        this.owner = owner;
        this.clients = clients;
    }

    /**
     * Replays the whole topics.
     *
     * @throws IllegalStateException if another replay is running
     * @throws SQLException if Postgres fails; the views are incomplete then, and the next replay or projector continues
     */
    public ReplayReport run() throws SQLException {
        try (Connection connection = owner.getConnection();
                Producer<byte[], byte[]> deadLetters = clients.producer(CLIENT + "-dead-letters")) {
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
        project(WorkflowProjector.projection(database, deadLetters), Topics.WORKFLOW_EVENTS);
        project(AgentTaskProjector.projection(database, deadLetters), Topics.TURN_EVENTS);
        Digest before = Digest.of(database, WorkflowsSchema.NAME, VIEWS);
        long start = System.nanoTime();
        empty(database);
        var processes = WorkflowProjector.projection(database, deadLetters);
        long events = project(processes, Topics.WORKFLOW_EVENTS);
        var agents = AgentTaskProjector.projection(database, deadLetters);
        project(agents, Topics.TURN_EVENTS);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        Digest after = Digest.of(database, WorkflowsSchema.NAME, VIEWS);
        return new ReplayReport(events, processes.rejectedCount() + agents.rejectedCount(), took, before, after);
    }

    private static void empty(Database database) throws SQLException {
        String views =
                VIEWS.stream().map(view -> WorkflowsSchema.NAME + "." + view).collect(Collectors.joining(", "));
        try (Connection connection = database.begin(Tenant.ALL);
                Statement statement = connection.createStatement()) {
            statement.execute("TRUNCATE " + views);
            statement.execute("UPDATE " + WorkflowProjector.OFFSETS + " SET \"offset\" = 0");
            connection.commit();
        }
    }

    /**
     * Projects up to the current end of the topic, sharing partitions with running projectors.
     *
     * @return the number of records projected here
     */
    private long project(EventProjection<?> projection, Topic<?> topic) throws SQLException {
        try (Consumer<byte[], byte[]> consumer =
                clients.consumer(CLIENT, null, Map.of(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2_000))) {
            List<TopicPartition> partitions = KafkaClients.partitions(consumer, topic);
            while (true) {
                try {
                    return TopicEnd.project(projection, consumer, topic, partitions);
                } catch (MovedException e) {
                    LOG.debug("another projector is running; continuing from its position");
                }
            }
        }
    }
}
