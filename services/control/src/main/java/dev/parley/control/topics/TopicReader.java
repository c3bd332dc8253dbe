package dev.parley.control.topics;

import dev.parley.control.topics.TopicScan.Part;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Reads records from the brokers with its own consumer, for one request. Uncommitted records are not visible. */
final class TopicReader implements AutoCloseable {
    private static final Duration POLL_TIMEOUT = Duration.ofMillis(50);
    private static final int ONE_MIB = 1 << 20;
    /** Limits of the records kept of a part; the oldest are dropped. */
    private static final long MAX_PART_BYTES = 4L * ONE_MIB;

    private static final int MAX_PART_ROWS = 1_000;

    private final Consumer<byte[], byte[]> consumer;
    private final BooleanSupplier isLate;

    TopicReader(KafkaClients clients, BooleanSupplier isLate) {
        this.isLate = isLate;
        this.consumer = clients.withoutSignatures()
                .consumer(
                        "topics-" + UUID.randomUUID(),
                        null,
                        Map.of(
                                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 50,
                                ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 8 * ONE_MIB,
                                ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 2 * ONE_MIB));
    }

    /**
     * The offsets of the topic, by partition.
     *
     * @param from the earliest time, null for the beginning
     * @param to the end, exclusive, null for the end of the topic
     */
    Map<Integer, OffsetRange> ranges(Topic<?> topic, @Nullable Instant from, @Nullable Instant to) {
        List<TopicPartition> partitions = KafkaClients.partitions(consumer, topic);
        Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        Map<TopicPartition, Long> first = from == null ? beginnings : offsets(from, ends);
        Map<TopicPartition, Long> after = to == null ? ends : offsets(to, ends);
        var ranges = new TreeMap<Integer, OffsetRange>();
        for (TopicPartition partition : partitions) {
            long begin = Math.max(first.getOrDefault(partition, 0L), beginnings.getOrDefault(partition, 0L));
            ranges.put(partition.partition(), new OffsetRange(begin, after.getOrDefault(partition, 0L)));
        }
        return ranges;
    }

    private Map<TopicPartition, Long> offsets(Instant time, Map<TopicPartition, Long> ends) {
        var times = new HashMap<TopicPartition, Long>();
        ends.keySet().forEach(partition -> times.put(partition, Math.max(0, time.toEpochMilli())));
        var offsets = new HashMap<>(ends);
        consumer.offsetsForTimes(times).forEach((partition, found) -> {
            if (found != null) {
                offsets.put(partition, found.offset());
            }
        });
        return offsets;
    }

    /** Reads parts of partitions, as {@link TopicScan.Source} describes. */
    Map<Integer, Part> read(Topic<?> topic, Map<Integer, OffsetRange> ranges) {
        var newest = new HashMap<TopicPartition, NewestRecords>();
        ranges.forEach((partition, range) ->
                newest.put(new TopicPartition(topic.name(), partition), new NewestRecords(range)));
        consumer.assign(newest.keySet());
        consumer.resume(newest.keySet()); // a partition stays paused after an earlier read
        newest.forEach((partition, records) -> consumer.seek(partition, records.range.begin()));
        var parts = new TreeMap<Integer, Part>();
        while (parts.size() < ranges.size() && !isLate.getAsBoolean()) {
            consumer.poll(POLL_TIMEOUT).forEach(record -> add(newest, record));
            newest.forEach((partition, records) -> {
                if (!parts.containsKey(partition.partition()) && consumer.position(partition) >= records.range.end()) {
                    consumer.pause(List.of(partition));
                    parts.put(partition.partition(), records.part());
                }
            });
        }
        return parts;
    }

    private static void add(Map<TopicPartition, NewestRecords> newest, ConsumerRecord<byte[], byte[]> record) {
        NewestRecords records = newest.get(new TopicPartition(record.topic(), record.partition()));
        if (records != null) {
            records.add(record);
        }
    }

    /** The record at an offset; empty where there is none, or it was deleted. */
    Optional<ConsumerRecord<byte[], byte[]>> read(Topic<?> topic, int partition, long offset) {
        OffsetRange range = ranges(topic, null, null).get(partition);
        if (range == null || offset < range.begin() || offset >= range.end()) {
            return Optional.empty();
        }
        return read(topic, Map.of(partition, new OffsetRange(offset, offset + 1))).values().stream()
                .map(Part::records)
                .flatMap(Collection::stream)
                .findFirst();
    }

    @Override
    public void close() {
        consumer.close();
    }

    /** The newest records of a part of a partition, while it is read. */
    private static final class NewestRecords {
        private static final ToLongFunction<ConsumerRecord<byte[], byte[]>> SIZE = TopicScan::size;
        private final OffsetRange range;
        private final Deque<ConsumerRecord<byte[], byte[]>> records = new ArrayDeque<>();
        private long begin;
        private long bytes;

        NewestRecords(OffsetRange range) {
            this.range = range;
            this.begin = range.begin();
        }

        void add(ConsumerRecord<byte[], byte[]> record) {
            if (record.offset() >= range.end()) {
                return;
            }
            records.addLast(record);
            bytes += SIZE.applyAsLong(record);
            while (records.size() > MAX_PART_ROWS || (bytes > MAX_PART_BYTES && records.size() > 1)) {
                ConsumerRecord<byte[], byte[]> oldest = records.removeFirst();
                bytes -= SIZE.applyAsLong(oldest);
                begin = oldest.offset() + 1;
            }
        }

        Part part() {
            return new Part(new OffsetRange(begin, range.end()), List.copyOf(records));
        }
    }
}
