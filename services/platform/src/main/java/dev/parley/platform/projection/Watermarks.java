package dev.parley.platform.projection;

import dev.parley.platform.database.RowBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The offsets from which a projection resumes, by partition of its topic. They are stored beside the rows and move in
 * the transaction that writes these. Hand-written SQL: each projection has its own table. Not thread-safe.
 */
public final class Watermarks {
    private final String topic;
    private final String table;
    private final Map<Integer, Long> committed = new HashMap<>();

    /** @param table of the offsets, with its schema */
    public Watermarks(String topic, String table) {
        this.topic = topic;
        this.table = table;
    }

    /** Reads the stored offsets; 0 for a new partition. */
    public Map<Integer, Long> read(Connection connection, Collection<Integer> partitions) throws SQLException {
        var rows = new RowBatch("text int4");
        partitions.forEach(partition -> rows.add(topic, partition));
        rows.run(connection, """
                INSERT INTO %s (topic, partition, "offset")
                SELECT topic, partition, 0 FROM $rows AS t (topic, partition) ON CONFLICT DO NOTHING
                """.formatted(table));
        var found = new TreeMap<Integer, Long>();
        rows.query(connection, """
                SELECT partition, "offset" FROM $rows AS t (topic, partition)
                JOIN %s USING (topic, partition)
                """.formatted(table), row -> found.put(row.getInt(1), row.getLong(2)));
        committed.putAll(found);
        return found;
    }

    /**
     * Moves the offsets, as the first step of a transaction: their row locks keep other instances away from these
     * partitions until it ends.
     *
     * @throws MovedException when a stored offset is not the one last committed here
     */
    public void move(Connection connection, Map<Integer, Long> next) throws SQLException, MovedException {
        var rows = new RowBatch("text int4 int8 int8");
        next.forEach((partition, offset) -> rows.add(topic, partition, committed.getOrDefault(partition, 0L), offset));
        int moved = rows.run(connection, """
                UPDATE %s o SET "offset" = t.next
                FROM $rows AS t (topic, partition, expected, next)
                WHERE o.topic = t.topic AND o.partition = t.partition AND o."offset" = t.expected
                """.formatted(table));
        if (moved != next.size()) {
            throw new MovedException("another instance has moved the watermark");
        }
    }

    /** The transaction of a {@link #move} was committed. */
    void onCommitted(Map<Integer, Long> next) {
        committed.putAll(next);
    }
}
