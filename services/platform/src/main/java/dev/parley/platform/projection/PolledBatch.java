package dev.parley.platform.projection;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/**
 * Records that are projected together.
 *
 * @param records in order
 * @param next the positions after them, of partitions that have advanced
 */
public record PolledBatch(List<ConsumerRecord<byte[], byte[]>> records, Map<Integer, Long> next) {
    /** The records of a poll; more can be added. */
    public static PolledBatch of(ConsumerRecords<byte[], byte[]> records) {
        var polled = new PolledBatch(new ArrayList<>(records.count()), new HashMap<>());
        polled.add(records);
        return polled;
    }

    /** Adds the records of the next poll. */
    public void add(ConsumerRecords<byte[], byte[]> polled) {
        polled.forEach(records::add);
        next.putAll(next(polled));
    }

    /** The positions behind the last records, and behind transaction markers. */
    public static Map<Integer, Long> next(ConsumerRecords<byte[], byte[]> records) {
        return records.nextOffsets().entrySet().stream()
                .collect(Collectors.toMap(
                        next -> next.getKey().partition(),
                        next -> next.getValue().offset()));
    }
}
