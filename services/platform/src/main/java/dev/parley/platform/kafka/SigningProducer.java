package dev.parley.platform.kafka;

import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The producer of all clients and topologies: it signs the records of topics whose records are signed, and logs dead
 * letters.
 */
public class SigningProducer extends KafkaProducer<byte[], byte[]> {
    private final @Nullable RecordSignatures signatures;

    /** @param signatures signs records, or null for brokers of others */
    public SigningProducer(Map<String, Object> settings, @Nullable RecordSignatures signatures) {
        super(settings, new ByteArraySerializer(), new ByteArraySerializer());
        this.signatures = signatures;
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
        return send(record, null);
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
        DeadLetters.log(record);
        if (signatures != null) {
            signatures.sign(record);
        }
        return super.send(record, callback);
    }
}
