package dev.parley.sessions.projection;

import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.projection.MovedException;
import dev.parley.platform.projection.Projection;
import dev.parley.platform.serde.UnreadableRecordException;
import dev.parley.sessions.projection.ViewStore.Move;
import dev.parley.sessions.projection.ViewStore.Written;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.SerializationException;

/**
 * Projects the records of a poll as one batch. Records that cannot become rows are dead-lettered: unreadable ones at
 * once, those that Postgres rejects after the batch was halved down to them.
 */
final class BatchProjection implements Projection {
    private record ReadRecord(ConsumerRecord<byte[], byte[]> record, TurnEvent event) {}

    private final Topic<TurnEvent> topic;
    private final ViewStore store;
    private final Database database;
    private final DeadLetterBox deadLetters;
    private final ProjectionMetrics metrics;
    private final Map<Integer, Long> watermarks = new HashMap<>();

    BatchProjection(Topic<TurnEvent> topic, Database database, DeadLetterBox deadLetters, ProjectionMetrics metrics) {
        this.topic = topic;
        this.store = new ViewStore(topic.name());
        this.database = database;
        this.deadLetters = deadLetters;
        this.metrics = metrics;
    }

    @Override
    public Map<Integer, Long> place(List<Integer> partitions) throws SQLException {
        Map<Integer, Long> found;
        try (Connection connection = database.begin(Tenant.ALL)) {
            found = store.watermarks(connection, partitions);
            connection.commit();
        }
        watermarks.putAll(found);
        try (Connection connection = database.reading(Tenant.ALL)) {
            store.findStaleHistories(connection);
            return found;
        }
    }

    @Override
    public void project(List<ConsumerRecord<byte[], byte[]>> records, Map<Integer, Long> next)
            throws SQLException, MovedException {
        if (next.isEmpty()) {
            return;
        }
        try {
            write(records, next);
        } catch (SQLException | RuntimeException e) {
            if (records.isEmpty() || !isAboutData(e)) {
                throw e;
            }
            if (records.size() == 1) {
                skip(records.getFirst(), next, e);
            } else {
                int half = records.size() / 2;
                project(records.subList(0, half), after(records.subList(0, half)));
                project(records.subList(half, records.size()), next);
            }
        }
    }

    private static Map<Integer, Long> after(List<ConsumerRecord<byte[], byte[]>> records) {
        var next = new TreeMap<Integer, Long>();
        records.forEach(record -> next.put(record.partition(), record.offset() + 1));
        return next;
    }

    /** Writes compact histories that are due. */
    @Override
    public boolean settle() throws SQLException, MovedException {
        if (!store.historiesAreDue()) {
            return false;
        }
        try (Connection connection = database.begin(Tenant.ALL)) {
            try {
                store.writeDueHistories(connection);
                connection.commit();
                store.committed();
            } catch (SQLException | RuntimeException | MovedException e) {
                store.rolledBack();
                connection.rollback();
                throw e;
            }
        }
        return store.historiesAreDue();
    }

    private static boolean isAboutData(Exception e) {
        if (e instanceof SQLException sql) {
            return Projection.isAboutData(sql);
        }
        return !(e instanceof KafkaException);
    }

    private void write(List<ConsumerRecord<byte[], byte[]>> records, Map<Integer, Long> next)
            throws SQLException, MovedException {
        var readable = new ArrayList<ReadRecord>(records.size());
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.value() != null) { // a tombstone says nothing; what it removes, erasure removes from the views
                read(record, readable);
            }
        }
        inTransaction(next, readable.stream().map(ReadRecord::event).toList(), readable);
    }

    private void read(ConsumerRecord<byte[], byte[]> record, List<ReadRecord> into) {
        try {
            into.add(new ReadRecord(record, RecordCodec.read(topic, record)));
        } catch (UnreadableRecordException e) {
            reject(record, e, e.reason().name().toLowerCase(Locale.ROOT));
        } catch (SerializationException e) {
            reject(record, e, "unreadable");
        }
    }

    private void inTransaction(Map<Integer, Long> next, List<TurnEvent> events, List<ReadRecord> readable)
            throws SQLException, MovedException {
        Map<Integer, Move> moves = moves(next);
        try (Connection connection = database.begin(Tenant.ALL)) {
            try {
                Written written = store.write(connection, events, moves);
                written.rejected().forEach((i, e) -> reject(readable.get(i).record(), e, "no_place"));
                connection.commit();
                store.committed();
                metrics.written(written);
            } catch (SQLException | RuntimeException | MovedException e) {
                store.rolledBack();
                connection.rollback();
                throw e;
            }
        }
        moves.forEach((partition, move) -> watermarks.put(partition, move.next()));
    }

    private Map<Integer, Move> moves(Map<Integer, Long> next) {
        var moves = new TreeMap<Integer, Move>();
        next.forEach(
                (partition, offset) -> moves.put(partition, new Move(watermarks.getOrDefault(partition, 0L), offset)));
        return moves;
    }

    private void skip(ConsumerRecord<byte[], byte[]> record, Map<Integer, Long> next, Exception cause)
            throws SQLException, MovedException {
        if (cause instanceof SQLException sql) {
            reject(record, refused(sql), "constraint");
        } else {
            reject(record, cause, "failure");
        }
        inTransaction(next, List.of(), List.of());
    }

    /** The error of Postgres without the values of the row, which must not be logged. */
    private static RejectedEventException refused(SQLException e) {
        String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        return new RejectedEventException("Postgres rejected the row (" + e.getSQLState() + "): " + first);
    }

    private void reject(ConsumerRecord<byte[], byte[]> record, Exception cause, String reason) {
        deadLetters.put(record, cause);
        metrics.rejected(reason);
    }
}
