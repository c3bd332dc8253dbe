package dev.parley.platform.projection;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Writes records of a topic into tables, with the watermark of each partition in the same transaction. Not
 * thread-safe.
 */
public interface Projection {
    /** Reads the watermarks of partitions, from which to resume; 0 for a new one. */
    Map<Integer, Long> readWatermarks(List<Integer> partitions) throws SQLException;

    /**
     * Writes records of one poll.
     *
     * @param next the positions after them, of partitions that have advanced
     * @throws MovedException if the positions must be {@linkplain #readWatermarks read} again
     */
    void project(List<ConsumerRecord<byte[], byte[]>> records, Map<Integer, Long> next)
            throws SQLException, MovedException;

    /**
     * Does deferred work; called when a poll returns nothing.
     *
     * @return whether more deferred work is left
     * @throws MovedException as {@link #project} does
     */
    default boolean settle() throws SQLException, MovedException {
        return false;
    }

    /** Whether Postgres rejected values: SQLSTATE classes 22, 23 and 54. Other errors are about Postgres itself. */
    static boolean isAboutData(SQLException e) {
        String state = e.getSQLState();
        return state != null && (state.startsWith("22") || state.startsWith("23") || state.startsWith("54"));
    }
}
