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
    /** Reads from Postgres where to go on in these partitions; 0 for one that is new here. */
    Map<Integer, Long> place(List<Integer> partitions) throws SQLException;

    /**
     * Writes records of one poll.
     *
     * @param next where each partition that came on is after them
     * @throws MovedException when the partitions have to be {@linkplain #place placed} again
     */
    void project(List<ConsumerRecord<byte[], byte[]>> records, Map<Integer, Long> next)
            throws SQLException, MovedException;

    /**
     * Writes some of what a busy time left for later; it is called when nothing came.
     *
     * @return whether more of it is left
     * @throws MovedException as {@link #project} does
     */
    default boolean settle() throws SQLException, MovedException {
        return false;
    }

    /** Whether SQL states 22, 23 and 54 say that Postgres refuses values; all others are about Postgres. */
    static boolean isAboutData(SQLException e) {
        String state = e.getSQLState();
        return state != null && (state.startsWith("22") || state.startsWith("23") || state.startsWith("54"));
    }
}
