package dev.parley.platform.mirror;

import dev.parley.platform.config.JsonTopic;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.JsonTopics;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.RecordJson;
import dev.parley.platform.serde.RecordSerde;
import dev.parley.platform.serde.UnreadableRecordException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** Converts a record for the mirror: same partition, key, timestamp and headers, and its value as JSON. */
public final class Mirroring {
    /** Name of this component in dead letters. */
    public static final String BY = "json-mirror";

    private static final byte[] JSON = "application/json".getBytes(StandardCharsets.UTF_8);

    private final RecordJson json;

    public Mirroring(RecordJson json) {
        this.json = json;
    }

    /**
     * The record for the mirror, or for the dead-letter topic where it is unreadable or too large; empty where its type
     * is not mirrored.
     *
     * @throws dev.parley.platform.serde.SchemaLookupException where its schema cannot be looked up now
     */
    public Optional<ProducerRecord<byte[], byte[]>> of(JsonTopic topic, ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null) {
            return Optional.of(to(topic.source(), record, null));
        }
        if (topic.source() == Topics.DEAD_LETTERS) {
            return Optional.of(to(topic.source(), record, LetterJson.write(json, record)));
        }
        try {
            Schema schema = json.schema(record.topic(), record.headers(), record.value());
            if (!topic.takes(schema.getName())) {
                return Optional.empty();
            }
            byte[] value = json.write(record.topic(), schema, record.value());
            requireSize(topic, value);
            return Optional.of(to(topic.source(), record, value));
        } catch (UnreadableRecordException | RecordTooLargeException e) {
            return Optional.of(DeadLetters.of(record, BY, e));
        }
    }

    private static void requireSize(JsonTopic topic, byte[] value) {
        int max = JsonTopics.of(topic.source()).maxBytes();
        if (value.length > max) {
            throw new RecordTooLargeException("%d bytes as JSON exceed the limit of %d".formatted(value.length, max));
        }
    }

    private static ProducerRecord<byte[], byte[]> to(
            Topic<?> source, ConsumerRecord<byte[], byte[]> record, byte @Nullable [] value) {
        var headers = new RecordHeaders(record.headers());
        if (value != null) {
            headers.remove(RecordSerde.CONTENT_TYPE).add(RecordSerde.CONTENT_TYPE, JSON);
        }
        return new ProducerRecord<>(
                JsonTopics.of(source).name(),
                record.partition(),
                record.timestampType() == TimestampType.NO_TIMESTAMP_TYPE ? null : record.timestamp(),
                record.key(),
                value,
                headers);
    }
}
