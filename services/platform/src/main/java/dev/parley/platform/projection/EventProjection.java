package dev.parley.platform.projection;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Projects the records of one poll and moves the watermarks in one transaction. Records that cannot become rows are
 * dead-lettered and the others are projected: unreadable ones at once, those that make the transaction fail after the
 * batch was halved down to them.
 *
 * @param <E> the values of the topic
 */
public abstract class EventProjection<E> implements Projection {
    /** @param event null for a tombstone */
    private record ReadRecord<E>(
            ConsumerRecord<byte[], byte[]> record, @Nullable E event) {}

    private final String name;
    private final Topic<E> topic;
    private final Watermarks watermarks;
    private final Database database;
    private final @Nullable Producer<byte[], byte[]> deadLetters;
    private long rejected;

    /**
     * @param name of the projection in dead letters
     * @param offsets the table of watermarks, with its schema
     * @param deadLetters receives records that cannot become rows; null where they were dead-lettered before
     */
    protected EventProjection(
            String name,
            Topic<E> topic,
            String offsets,
            Database database,
            @Nullable Producer<byte[], byte[]> deadLetters) {
        this.name = name;
        this.topic = topic;
        this.watermarks = new Watermarks(topic.name(), offsets);
        this.database = database;
        this.deadLetters = deadLetters;
    }

    /**
     * Whether records of this type become rows; the others are not deserialized.
     *
     * @param type their {@code ce_type}
     */
    protected boolean takes(String type) {
        return true;
    }

    /**
     * First step of a transaction.
     *
     * @throws MovedException where another process writes the tables
     */
    protected abstract void admit(Connection connection) throws SQLException, MovedException;

    /**
     * Writes events.
     *
     * @return the errors of omitted events, by their index; their records are dead-lettered
     */
    protected abstract Map<Integer, ? extends Exception> write(Connection connection, List<E> events)
            throws SQLException;

    /**
     * Removes the rows of these keys, for which the topic has tombstones; does nothing if an event has removed them.
     */
    protected void erase(Connection connection, List<String> keys) throws SQLException {}

    /** The transaction that wrote these events was committed. */
    protected void onWritten(List<E> events) {}

    /** Whether a transaction failed because of its events, not because of Postgres or Kafka. */
    protected boolean isAboutData(Exception failure) {
        return failure instanceof SQLException e && Projection.isAboutData(e);
    }

    /** Dead-letters a record that cannot become rows, before its offset is committed. */
    protected void reject(ConsumerRecord<byte[], byte[]> record, Exception cause) {
        rejected++;
        DeadLetters.send(deadLetters, record, name, cause instanceof SQLException e ? withoutValues(e) : cause);
    }

    /** The error of Postgres without the values of the row, which must not be logged. */
    private static SQLException withoutValues(SQLException e) {
        String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        return new SQLException("Postgres rejected the row (" + e.getSQLState() + "): " + first, e.getSQLState());
    }

    /** Number of records that could not become rows. */
    public final long rejectedCount() {
        return rejected;
    }

    @Override
    public Map<Integer, Long> readWatermarks(List<Integer> partitions) throws SQLException {
        try (Connection connection = database.begin(Tenant.ALL)) {
            Map<Integer, Long> found = watermarks.read(connection, partitions);
            connection.commit();
            return found;
        }
    }

    @Override
    public final void project(List<ConsumerRecord<byte[], byte[]>> records, Map<Integer, Long> next)
            throws SQLException, MovedException {
        if (!next.isEmpty()) {
            writeOrHalve(read(records), next);
        }
    }

    private List<ReadRecord<E>> read(List<ConsumerRecord<byte[], byte[]>> records) {
        var readable = new ArrayList<ReadRecord<E>>(records.size());
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.value() != null
                    && !RecordCodec.type(record).map(this::takes).orElse(true)) {
                continue;
            }
            try {
                readable.add(new ReadRecord<>(record, record.value() == null ? null : RecordCodec.read(topic, record)));
            } catch (SerializationException e) {
                reject(record, e);
            }
        }
        return readable;
    }

    private void writeOrHalve(List<ReadRecord<E>> records, Map<Integer, Long> next)
            throws SQLException, MovedException {
        try {
            inTransaction(records, next);
        } catch (SQLException | RuntimeException e) {
            if (records.isEmpty() || !isAboutData(e)) {
                throw e;
            }
            if (records.size() == 1) {
                reject(records.getFirst().record(), e);
                inTransaction(List.of(), next);
            } else {
                List<ReadRecord<E>> firstHalf = records.subList(0, records.size() / 2);
                writeOrHalve(firstHalf, after(firstHalf));
                writeOrHalve(records.subList(firstHalf.size(), records.size()), next);
            }
        }
    }

    private static <E> Map<Integer, Long> after(List<ReadRecord<E>> records) {
        var next = new TreeMap<Integer, Long>();
        records.forEach(
                read -> next.put(read.record().partition(), read.record().offset() + 1));
        return next;
    }

    private void inTransaction(List<ReadRecord<E>> records, Map<Integer, Long> next)
            throws SQLException, MovedException {
        var sources = new ArrayList<ConsumerRecord<byte[], byte[]>>();
        var events = new ArrayList<E>();
        var erased = new ArrayList<String>();
        for (ReadRecord<E> read : records) {
            E event = read.event();
            if (event == null) {
                erased.add(RecordCodec.key(read.record()));
            } else {
                sources.add(read.record());
                events.add(event);
            }
        }
        writeAndCommit(sources, events, erased, next);
        watermarks.onCommitted(next);
        onWritten(events);
    }

    /** @param sources of the events */
    private void writeAndCommit(
            List<ConsumerRecord<byte[], byte[]>> sources, List<E> events, List<String> erased, Map<Integer, Long> next)
            throws SQLException, MovedException {
        try (Connection connection = database.begin(Tenant.ALL)) {
            admit(connection);
            watermarks.move(connection, next);
            write(connection, events).forEach((index, cause) -> reject(sources.get(index), cause));
            if (!erased.isEmpty()) {
                erase(connection, erased);
            }
            connection.commit();
        }
    }
}
