package dev.parley.platform.projection;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.Rows;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Projects the records of one poll and moves the watermark, in one transaction. A record that cannot become rows
 * goes to {@code dead-letters} and the others are projected: an unreadable record at once, one that Postgres rejects
 * after its batch was halved until only that record was left.
 *
 * @param <E> the values of the topic
 */
public abstract class EventProjection<E> implements Projection {
    /** @param event null for a tombstone */
    private record ReadRecord<E>(
            ConsumerRecord<byte[], byte[]> record, @Nullable E event) {}

    private final String name;
    private final Topic<E> topic;
    private final String offsets;
    private final Database database;
    private final @Nullable Producer<byte[], byte[]> deadLetters;
    private long rejected;
    private final Map<Integer, Long> watermarks = new HashMap<>();

    /**
     * A projection of a topic.
     *
     * @param name by which dead letters call it
     * @param offsets the table of watermarks, with its schema
     * @param deadLetters where records go that cannot become rows; null where they are there already
     */
    protected EventProjection(
            String name,
            Topic<E> topic,
            String offsets,
            Database database,
            @Nullable Producer<byte[], byte[]> deadLetters) {
        this.name = name;
        this.topic = topic;
        this.offsets = offsets;
        this.database = database;
        this.deadLetters = deadLetters;
    }

    /** Whether records of this type become rows: the others are not even read. @param type their {@code ce_type} */
    protected boolean takes(String type) {
        return true;
    }

    /** Begins a transaction. @throws MovedException where somebody else writes the tables */
    protected abstract void admit(Connection connection) throws SQLException, MovedException;

    /** Writes events. */
    protected abstract void write(Connection connection, List<E> events) throws SQLException;

    /**
     * Removes what was said under these keys, whose tombstones were read. It does nothing where an event before a tombstone says what it
     * removes.
     */
    protected void erase(Connection connection, List<String> keys) throws SQLException {}

    /** Events are in the tables. */
    protected void written(List<E> events) {}

    @Override
    public final Map<Integer, Long> place(List<Integer> partitions) throws SQLException {
        var rows = new Rows("text int4");
        partitions.forEach(partition -> rows.add(topic.name(), partition));
        var found = new TreeMap<Integer, Long>();
        try (Connection connection = database.begin(Tenant.ALL)) {
            rows.run(connection, """
                    INSERT INTO %s (topic, partition, "offset")
                    SELECT topic, partition, 0 FROM $rows AS t (topic, partition) ON CONFLICT DO NOTHING
                    """.formatted(offsets));
            rows.query(connection, """
                    SELECT partition, "offset" FROM $rows AS t (topic, partition)
                    JOIN %s USING (topic, partition)
                    """.formatted(offsets), row -> found.put(row.getInt(1), row.getLong(2)));
            connection.commit();
        }
        watermarks.putAll(found);
        return found;
    }

    @Override
    public final void project(List<ConsumerRecord<byte[], byte[]>> records, Map<Integer, Long> next)
            throws SQLException, MovedException {
        if (!next.isEmpty()) {
            write(read(records), next);
        }
    }

    private void write(List<ReadRecord<E>> records, Map<Integer, Long> next) throws SQLException, MovedException {
        try {
            inTransaction(records, next);
        } catch (SQLException e) {
            if (records.isEmpty() || !Projection.isAboutData(e)) {
                throw e;
            }
            if (records.size() == 1) {
                reject(records.getFirst().record(), e);
                inTransaction(List.of(), next);
            } else {
                List<ReadRecord<E>> half = records.subList(0, records.size() / 2);
                write(half, after(half));
                write(records.subList(half.size(), records.size()), next);
            }
        }
    }

    private static <E> Map<Integer, Long> after(List<ReadRecord<E>> records) {
        var next = new TreeMap<Integer, Long>();
        records.forEach(readable ->
                next.put(readable.record().partition(), readable.record().offset() + 1));
        return next;
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

    private void inTransaction(List<ReadRecord<E>> records, Map<Integer, Long> next)
            throws SQLException, MovedException {
        List<E> events = records.stream()
                .flatMap(read -> Stream.ofNullable(read.event()))
                .toList();
        List<String> erased = records.stream()
                .filter(read -> read.event() == null)
                .map(read -> RecordCodec.key(read.record()))
                .toList();
        try (Connection connection = database.begin(Tenant.ALL)) {
            admit(connection);
            moveWatermarks(connection, next);
            write(connection, events);
            if (!erased.isEmpty()) {
                erase(connection, erased);
            }
            connection.commit();
        }
        watermarks.putAll(next);
        written(events);
    }

    /** Moves the watermarks; their row locks keep other instances away from these partitions. */
    private void moveWatermarks(Connection connection, Map<Integer, Long> next) throws SQLException, MovedException {
        var moves = new Rows("text int4 int8 int8");
        next.forEach((partition, offset) ->
                moves.add(topic.name(), partition, watermarks.getOrDefault(partition, 0L), offset));
        int moved = moves.run(connection, """
                UPDATE %s o SET "offset" = t.next
                FROM $rows AS t (topic, partition, expected, next)
                WHERE o.topic = t.topic AND o.partition = t.partition AND o."offset" = t.expected
                """.formatted(offsets));
        if (moved != next.size()) {
            throw new MovedException("the watermark is not where this instance left it");
        }
    }

    /** How many records could not become rows. */
    public final long rejected() {
        return rejected;
    }

    private void reject(ConsumerRecord<byte[], byte[]> record, Exception cause) {
        rejected++;
        DeadLetters.send(deadLetters, record, name, cause);
    }
}
