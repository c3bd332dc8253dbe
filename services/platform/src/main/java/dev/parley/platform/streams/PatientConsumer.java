package dev.parley.platform.streams;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A consumer that waits as it is told while there is work, and longer when there was none for a while. What arrives ends a wait at
 * once; a thread of Kafka Streams has short ones for the sake of what it has not committed yet, and would turn in circles at rest.
 */
final class PatientConsumer extends KafkaConsumer<byte[], byte[]> {
    /** Longer than a step waits for its commit, in topologies whose threads are told to wait less than they do at rest. */
    private static final Duration BUSY = Duration.ofMillis(250);

    private static final Duration AT_REST = Duration.ofMillis(20);

    private long lastRecords = System.nanoTime();

    PatientConsumer(Map<String, Object> settings) {
        super(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration wait) {
        boolean rests = System.nanoTime() - lastRecords > BUSY.toNanos();
        ConsumerRecords<byte[], byte[]> records = super.poll(rests && wait.isPositive() ? longer(wait) : wait);
        if (!records.isEmpty()) {
            lastRecords = System.nanoTime();
        }
        return records;
    }

    private static Duration longer(Duration wait) {
        return wait.compareTo(AT_REST) < 0 ? AT_REST : wait;
    }
}
