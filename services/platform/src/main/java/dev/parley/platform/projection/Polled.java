package dev.parley.platform.projection;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/**
 * What is projected together.
 *
 * @param records in order
 * @param next where each partition that came on is after them
 */
public record Polled(List<ConsumerRecord<byte[], byte[]>> records, Map<Integer, Long> next) {
    /** What came by one poll; more can be added. */
    public static Polled of(ConsumerRecords<byte[], byte[]> records) {
        var polled = new Polled(new ArrayList<>(records.count()), new HashMap<>());
        polled.add(records);
        return polled;
    }

    /** What came by the next poll. */
    public void add(ConsumerRecords<byte[], byte[]> more) {
        more.forEach(records::add);
        next.putAll(next(more));
    }

    /** Where each partition that came on is now: behind its last record, and behind what is none, such as the marks of transactions. */
    public static Map<Integer, Long> next(ConsumerRecords<byte[], byte[]> records) {
        return records.nextOffsets().entrySet().stream()
                .collect(Collectors.toMap(
                        next -> next.getKey().partition(),
                        next -> next.getValue().offset()));
    }
}
