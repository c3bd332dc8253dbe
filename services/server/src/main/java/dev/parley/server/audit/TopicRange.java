package dev.parley.server.audit;

import dev.parley.platform.kafka.KafkaClients;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

/** The committed records of topics from a time up to their end offsets when reading begins. */
public final class TopicRange implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final Map<String, Object> FAST = Map.of(
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            5_000,
            ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
            32 << 20,
            ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            TIMEOUT_MILLIS,
            ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
            TIMEOUT_MILLIS);

    private final Consumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, Long> begins = new HashMap<>();
    private final Map<TopicPartition, Long> ends;

    /** Selects partitions. */
    @FunctionalInterface
    public interface PartitionFilter {
        /** @param partitions of the topic */
        boolean includes(int partition, int partitions);
    }

    /** @param startTimes start of the range by topic */
    public TopicRange(KafkaClients clients, Map<String, Instant> startTimes, PartitionFilter filter) {
        consumer = clients.consumer("audit", null, FAST);
        var times = new HashMap<TopicPartition, Long>();
        startTimes.forEach((topic, time) -> {
            var partitions = consumer.partitionsFor(topic);
            partitions.stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .filter(partition -> filter.includes(partition.partition(), partitions.size()))
                    .forEach(partition -> times.put(partition, Math.max(0, time.toEpochMilli())));
        });
        ends = consumer.endOffsets(times.keySet());
        Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(times);
        ends.forEach((partition, end) -> begins.put(
                partition,
                found.get(partition) == null ? end : found.get(partition).offset()));
    }

    /** The number of partitions by topic. */
    Map<String, Integer> partitions() {
        return ends.keySet().stream()
                .collect(Collectors.groupingBy(TopicPartition::topic, TreeMap::new, Collectors.summingInt(_ -> 1)));
    }

    /** The maximum number of records to read. */
    public long size() {
        return ends.entrySet().stream()
                .mapToLong(end -> Math.max(0, end.getValue() - begins.getOrDefault(end.getKey(), 0L)))
                .sum();
    }

    /** Handles a record. */
    @FunctionalInterface
    public interface Sink {
        void take(ConsumerRecord<byte[], byte[]> record) throws IOException;
    }

    /** Reads all records, in order within a partition. */
    public void read(Sink sink, ReadProgress progress) throws IOException {
        List<TopicPartition> partitions = List.copyOf(ends.keySet());
        consumer.assign(partitions);
        partitions.forEach(partition -> consumer.seek(partition, begins.getOrDefault(partition, 0L)));
        long read = 0;
        while (partitions.stream().anyMatch(partition -> consumer.position(partition) < end(partition))) {
            if (Thread.interrupted()) {
                throw new IOException("interrupted");
            }
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (record.offset() < end(new TopicPartition(record.topic(), record.partition()))) {
                    sink.take(record);
                    read++;
                }
            }
            progress.printRead(read, size());
        }
    }

    private long end(TopicPartition partition) {
        return ends.getOrDefault(partition, 0L);
    }

    @Override
    public void close() {
        consumer.close();
    }
}
