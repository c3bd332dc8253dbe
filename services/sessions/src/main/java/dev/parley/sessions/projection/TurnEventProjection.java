package dev.parley.sessions.projection;

import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.projection.EventProjection;
import dev.parley.platform.projection.MovedException;
import dev.parley.platform.serde.UnreadableRecordException;
import dev.parley.sessions.projection.ViewStore.Written;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/** Projects {@code turn-events} into the views. Their tombstones change no row: erased sessions have an event. */
final class TurnEventProjection extends EventProjection<TurnEvent> {
    private static final Written NOTHING = new Written(0, 0, 0, Map.of());

    private final ViewStore store = new ViewStore();
    private final Database database;
    private final ProjectionMetrics metrics;
    private Written uncommitted = NOTHING;

    TurnEventProjection(
            String name,
            Topic<TurnEvent> topic,
            Database database,
            @Nullable Producer<byte[], byte[]> deadLetters,
            ProjectionMetrics metrics) {
        super(name, topic, "sessions.projection_offset_t", database, deadLetters);
        this.database = database;
        this.metrics = metrics;
    }

    /** Also finds the compact histories that are stale, which makes them due. */
    @Override
    public Map<Integer, Long> readWatermarks(List<Integer> partitions) throws SQLException {
        Map<Integer, Long> found = super.readWatermarks(partitions);
        try (Connection connection = database.reading(Tenant.ALL)) {
            store.findStaleHistories(connection);
        }
        return found;
    }

    /** Writes compact histories that are due. */
    @Override
    public boolean settle() throws SQLException, MovedException {
        if (!store.historiesAreDue()) {
            return false;
        }
        try (Connection connection = database.begin(Tenant.ALL)) {
            store.writeDueHistories(connection);
            connection.commit();
        }
        store.onCommitted();
        return store.historiesAreDue();
    }

    @Override
    protected void admit(Connection connection) throws SQLException, MovedException {
        ViewStore.requireNoReplay(connection);
    }

    @Override
    protected Map<Integer, RejectedEventException> write(Connection connection, List<TurnEvent> events)
            throws SQLException {
        uncommitted = store.write(connection, events);
        return uncommitted.rejected();
    }

    @Override
    protected void onWritten(List<TurnEvent> events) {
        store.onCommitted();
        metrics.recordBatch(uncommitted);
    }

    @Override
    protected boolean isAboutData(Exception failure) {
        return failure instanceof SQLException ? super.isAboutData(failure) : !(failure instanceof KafkaException);
    }

    @Override
    protected void reject(ConsumerRecord<byte[], byte[]> record, Exception cause) {
        super.reject(record, cause);
        metrics.countRejected(reason(cause));
    }

    private static String reason(Exception cause) {
        return switch (cause) {
            case UnreadableRecordException e -> e.reason().name().toLowerCase(Locale.ROOT);
            case SerializationException _ -> "unreadable";
            case RejectedEventException _ -> "no_place";
            case SQLException _ -> "constraint";
            default -> "failure";
        };
    }
}
