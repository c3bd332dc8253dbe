package dev.parley.workflows.view;

import dev.parley.domain.protocol.TurnEvent;
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
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/** Projects agents' questions from {@code turn-events} into the task tables. Reads only the header of other events. */
public final class AgentTaskProjector extends TopicProjector {
    private static final String NAME = "agent-task-projector";
    private static final String GROUP = "parley-agent-task-projector";
    private static final int MAX_RECORDS = 2_000;
    /** Pause before a small batch is filled up: approvals are rare, so a transaction can skip many other events. */
    private static final Duration PACE = Duration.ofMillis(200);

    private final Database database;

    public AgentTaskProjector(KafkaClients clients, Database database) {
        super(NAME, GROUP, clients, Topics.TURN_EVENTS, MAX_RECORDS);
        this.database = database;
    }

    @Override
    protected Projection projection(Producer<byte[], byte[]> deadLetters) {
        return projection(database, deadLetters);
    }

    /** The projection that writes the tables. */
    static EventProjection<TurnEvent> projection(Database database, @Nullable Producer<byte[], byte[]> deadLetters) {
        return new EventProjection<>(NAME, Topics.TURN_EVENTS, WorkflowProjector.OFFSETS, database, deadLetters) {
            @Override
            protected boolean takes(String type) {
                return AgentTasks.TYPES.contains(type);
            }

            @Override
            protected void admit(Connection connection) {}

            @Override
            protected Map<Integer, Exception> write(Connection connection, List<TurnEvent> events) throws SQLException {
                new AgentTasks(connection).write(events);
                return Map.of();
            }
        };
    }

    @Override
    protected void fill(PolledBatch polled, Consumer<byte[], byte[]> following) {
        if (!polled.records().isEmpty() && polled.records().size() < MAX_RECORDS / 2) {
            LockSupport.parkNanos(PACE.toNanos());
            polled.add(following.poll(Duration.ZERO));
        }
    }
}
