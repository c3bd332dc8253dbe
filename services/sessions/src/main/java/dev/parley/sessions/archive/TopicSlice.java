package dev.parley.sessions.archive;

import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.TopicEnds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * The records of one project on an event topic, whose keys are {@code {project}/{session or bank}#{seq}}, up to the
 * current end offsets.
 */
final class TopicSlice<T> {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Map<String, Object> FAST = Map.of(
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000,
            ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 32 << 20,
            ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);

    private final KafkaClients clients;
    private final Topic<T> topic;
    private final byte[] prefix;
    private final Map<Integer, Long> offsets = new TreeMap<>();

    TopicSlice(KafkaClients clients, Topic<T> topic, String project) {
        this.clients = clients;
        this.topic = topic;
        this.prefix = (project + "/").getBytes(StandardCharsets.UTF_8);
    }

    /** Receives the records of the project. */
    @FunctionalInterface
    interface Sink<T> {
        /**
         * @param owner the key without the number, in UTF-8
         * @param event null for a tombstone
         */
        void accept(ConsumerRecord<byte[], byte[]> record, byte[] owner, long seq, @Nullable T event)
                throws IOException;
    }

    /**
     * Passes all records on. Reading up to the end offsets also waits for open transactions.
     *
     * @param inFlight after this time, all events decided by now are on the topic
     */
    void read(Duration inFlight, Sink<T> sink) throws IOException {
        try (Consumer<byte[], byte[]> consumer = clients.consumer("export", null, FAST)) {
            List<TopicPartition> partitions = KafkaClients.partitions(consumer, topic);
            offsets.putAll(ends(inFlight));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (partitions.stream()
                    .anyMatch(partition -> consumer.position(partition) < end(partition.partition()))) {
                if (Thread.interrupted()) {
                    throw new IOException("the process is stopping");
                }
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (record.offset() < end(record.partition())) {
                        pass(record, sink);
                    }
                }
            }
        }
    }

    private Map<Integer, Long> ends(Duration inFlight) throws IOException {
        try (var ends = new TopicEnds(clients, topic, TIMEOUT)) {
            Thread.sleep(inFlight);
            return ends.now();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the process is stopping", e);
        }
    }

    private long end(int partition) {
        return offsets.getOrDefault(partition, 0L);
    }

    private void pass(ConsumerRecord<byte[], byte[]> record, Sink<T> sink) throws IOException {
        byte[] key = record.key();
        if (key == null || !isOfProject(key)) {
            return;
        }
        int end = key.length - 1;
        while (key[end] != '#') {
            end--;
        }
        long seq = Long.parseLong(new String(key, end + 1, key.length - end - 1, StandardCharsets.US_ASCII));
        sink.accept(record, Arrays.copyOf(key, end), seq, record.value() == null ? null : event(record));
    }

    private boolean isOfProject(byte[] key) {
        return key.length > prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    private T event(ConsumerRecord<byte[], byte[]> record) throws IOException {
        try {
            return RecordCodec.read(topic, record);
        } catch (SerializationException e) {
            throw new IOException(
                    "the record %d of partition %d of %s cannot be read: %s"
                            .formatted(record.offset(), record.partition(), topic.name(), e.getMessage()),
                    e);
        }
    }

    /** End offset of each partition. */
    Map<Integer, Long> offsets() {
        return offsets;
    }
}
