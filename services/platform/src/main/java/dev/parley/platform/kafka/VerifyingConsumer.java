package dev.parley.platform.kafka;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * The consumer of all clients and topologies: its polls return no record that should be signed and is not. The position
 * moves past such records, so that their partition continues.
 */
public class VerifyingConsumer extends KafkaConsumer<byte[], byte[]> {
    private final @Nullable RecordSignatures signatures;
    private final boolean grouped;

    /** @param signatures verifies records, or null for brokers of others and for tools that show what is there */
    public VerifyingConsumer(Map<String, Object> settings, @Nullable RecordSignatures signatures) {
        super(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.signatures = signatures;
        this.grouped = settings.containsKey(ConsumerConfig.GROUP_ID_CONFIG);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        ConsumerRecords<byte[], byte[]> polled = super.poll(timeout);
        return signatures == null || polled.isEmpty() ? polled : signatures.accepted(polled, grouped);
    }
}
