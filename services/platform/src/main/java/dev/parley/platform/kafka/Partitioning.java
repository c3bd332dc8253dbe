package dev.parley.platform.kafka;

import dev.parley.domain.RecordKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;

/** Partition of records whose key alone does not determine it. */
public final class Partitioning {
    private Partitioning() {}

    /** The partition of the session for a key {@code {record key}#{seq}}: the events of a session stay in order. */
    public static Optional<Set<Integer>> byRecordKey(String topic, byte[] key, byte[] value, int partitions) {
        int end = key.length - 1;
        while (end > 0 && key[end] != '#') {
            end--;
        }
        byte[] recordKey = end == 0 ? key : Arrays.copyOf(key, end);
        return Optional.of(Set.of(BuiltInPartitioner.partitionForKey(recordKey, partitions)));
    }

    /** The partition of the events of a session. */
    public static int of(RecordKey session, int partitions) {
        return BuiltInPartitioner.partitionForKey(session.toString().getBytes(StandardCharsets.UTF_8), partitions);
    }

    /** The partition whose number is the key, modulo the number of partitions. */
    public static Optional<Set<Integer>> byNumber(String topic, byte[] key, byte[] value, int partitions) {
        int number = Integer.parseInt(new String(key, StandardCharsets.US_ASCII));
        return Optional.of(Set.of(Math.floorMod(number, partitions)));
    }
}
