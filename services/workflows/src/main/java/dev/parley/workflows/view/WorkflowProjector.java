package dev.parley.workflows.view;

import dev.parley.domain.workflow.WorkflowEvent;
import dev.parley.platform.database.Database;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.projection.EventProjection;
import dev.parley.platform.projection.PolledBatch;
import dev.parley.platform.projection.Projection;
import dev.parley.platform.projection.TopicProjector;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/** Projects {@code workflow-events} into the tables of processes and tasks. */
public final class WorkflowProjector extends TopicProjector {
    /** Consumer group for partition assignment; offsets are in {@link #OFFSETS}. */
    public static final String GROUP = "parley-workflow-projector";

    /** Table of the projected offsets. */
    public static final String OFFSETS = "workflows.projection_offset_t";

    private static final String NAME = "workflow-projector";
    private static final int MAX_RECORDS = 2_000;

    private final Database database;

    public WorkflowProjector(KafkaClients clients, Database database) {
        super(NAME, GROUP, clients, Topics.WORKFLOW_EVENTS, MAX_RECORDS);
        this.database = database;
    }

    @Override
    protected Projection projection(Producer<byte[], byte[]> deadLetters) {
        return projection(database, deadLetters);
    }

    /** The projection that writes the tables. */
    static EventProjection<WorkflowEvent> projection(
            Database database, @Nullable Producer<byte[], byte[]> deadLetters) {
        return new EventProjection<>(NAME, Topics.WORKFLOW_EVENTS, OFFSETS, database, deadLetters) {
            @Override
            protected void admit(Connection connection) {}

            @Override
            protected Map<Integer, Exception> write(Connection connection, List<WorkflowEvent> events)
                    throws SQLException {
                new ProcessViews(connection).write(events);
                return Map.of();
            }

            @Override
            protected void erase(Connection connection, List<String> keys) throws SQLException {
                ProcessViews.erase(connection, keys);
            }
        };
    }

    /** Adds the records that arrived meanwhile to a small batch. */
    @Override
    protected void fill(PolledBatch polled, Consumer<byte[], byte[]> following) {
        if (!polled.records().isEmpty() && polled.records().size() < MAX_RECORDS / 2) {
            polled.add(following.poll(Duration.ZERO));
        }
    }
}
