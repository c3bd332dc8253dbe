package dev.parley.platform.kafka;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * Which records without a signature are accepted: those that releases before 0.2.0 have written.
 *
 * @param all whether all are, while processes of such a release still write
 * @param before by partition the offset before which they are
 */
public record UnsignedRecords(boolean all, Map<TopicPartition, Long> before) {
    /** No record without a signature is accepted. */
    public static final UnsignedRecords NONE = new UnsignedRecords(false, Map.of());

    /** Every record without a signature is accepted. */
    public static final UnsignedRecords ALL = new UnsignedRecords(true, Map.of());

    public UnsignedRecords {
        before = Map.copyOf(before);
    }

    /** Whether a record without a signature is accepted. */
    boolean accepts(TopicPartition partition, long offset) {
        return all || offset < before.getOrDefault(partition, 0L);
    }

    /** The offsets as text: a line {@code topic partition offset} each. */
    public String text() {
        var sorted = new TreeMap<String, Long>();
        before.forEach((partition, offset) -> sorted.put(partition.topic() + " " + partition.partition(), offset));
        return sorted.entrySet().stream()
                .map(line -> line.getKey() + " " + line.getValue() + "\n")
                .collect(Collectors.joining());
    }

    /**
     * Reads offsets.
     *
     * @throws IllegalArgumentException if a line is none of {@link #text}
     */
    public static UnsignedRecords parse(String text) {
        return new UnsignedRecords(
                false,
                text.lines()
                        .map(line -> line.split(" ", -1))
                        .collect(Collectors.toMap(UnsignedRecords::partition, line -> Long.parseLong(line[2]))));
    }

    private static TopicPartition partition(String[] line) {
        if (line.length != 3) {
            throw new IllegalArgumentException("a line is not 'topic partition offset'");
        }
        return new TopicPartition(line[0], Integer.parseInt(line[1]));
    }
}
