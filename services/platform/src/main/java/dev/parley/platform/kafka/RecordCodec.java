package dev.parley.platform.kafka;

import dev.parley.platform.serde.RecordJson;
import dev.parley.platform.serde.RecordSerde;
import dev.parley.platform.serde.RecordText;
import dev.parley.platform.serde.SchemaIds;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Serde;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes records: CloudEvents and trace headers, and a value with the id of its schema. */
public final class RecordCodec {
    /** Header with the W3C trace parent. */
    public static final String TRACE = "traceparent";

    private static final Map<Class<?>, Serde<?>> SERDES = new ConcurrentHashMap<>();
    private static volatile SchemaIds ids = SchemaIds.bundled();

    private RecordCodec() {}

    /** Sets the source of schema ids, instead of those of this build. Call it before the first record. */
    public static void use(SchemaIds other) {
        ids = other;
        SERDES.clear();
    }

    /** The serde of a topic's values. */
    @SuppressWarnings("unchecked")
    public static <V> Serde<V> serde(Topic<V> topic) {
        return (Serde<V>) SERDES.computeIfAbsent(topic.type(), type -> RecordSerde.of(type, ids));
    }

    /**
     * A record to send.
     *
     * @param key determines the partition
     * @param id of the record, by which consumers recognise duplicates
     * @param trace W3C trace parent, or null
     */
    public static <V> ProducerRecord<byte[], byte[]> record(
            Topic<V> topic, String key, V value, UUID id, @Nullable String trace) {
        return record(topic, null, key, value, id, trace);
    }

    /** A record for a partition. */
    public static <V> ProducerRecord<byte[], byte[]> record(
            Topic<V> topic, @Nullable Integer partition, String key, V value, UUID id, @Nullable String trace) {
        var record = new ProducerRecord<byte[], byte[]>(topic.name(), partition, bytes(key), null);
        stamp(record.headers(), topic.name(), id, Instant.now(), trace);
        byte[] body = write(topic, record.headers(), value);
        return new ProducerRecord<>(topic.name(), partition, null, bytes(key), body, record.headers());
    }

    /** The tombstone of a key. */
    public static ProducerRecord<byte[], byte[]> tombstone(Topic<?> topic, String key) {
        return tombstone(topic, null, key);
    }

    /** The tombstone of a key in a partition. */
    public static ProducerRecord<byte[], byte[]> tombstone(Topic<?> topic, @Nullable Integer partition, String key) {
        return new ProducerRecord<>(topic.name(), partition, bytes(key), null);
    }

    /** Adds the CloudEvents and trace headers, except the type, which the serde adds. */
    public static void stamp(Headers headers, String source, UUID id, Instant time, @Nullable String trace) {
        set(headers, "ce_specversion", "1.0");
        set(headers, "ce_id", id.toString());
        set(headers, "ce_source", "/parley/" + source);
        set(headers, "ce_time", time.toString());
        if (trace != null) {
            set(headers, TRACE, trace);
        }
    }

    private static void set(Headers headers, String name, String value) {
        headers.remove(name).add(name, bytes(value));
    }

    /**
     * The value of a record.
     *
     * @throws org.apache.kafka.common.errors.SerializationException if the bytes are not a value of this topic
     */
    public static <V> V read(Topic<V> topic, ConsumerRecord<byte[], byte[]> record) {
        return read(topic, record.headers(), record.value());
    }

    /** The value of a record with these headers and bytes. */
    public static <V> V read(Topic<V> topic, Headers headers, byte[] value) {
        return serde(topic).deserializer().deserialize(topic.name(), headers, value);
    }

    /** The value of a record of any topic as JSON for people; empty if no schema reads it. */
    public static Optional<String> json(byte @Nullable [] value) {
        return RecordText.json(ids, value);
    }

    /** Converts records of any topic to JSON for programs. */
    public static RecordJson recordJson() {
        return new RecordJson(ids);
    }

    /** Serializes a value, and adds its type to the headers. */
    public static <V> byte[] write(Topic<V> topic, Headers headers, V value) {
        return serde(topic).serializer().serialize(topic.name(), headers, value);
    }

    /** The key of a record as text. */
    public static String key(ConsumerRecord<byte[], byte[]> record) {
        return record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
    }

    /** The type of a value according to its header, if it has one. */
    public static Optional<String> type(ConsumerRecord<byte[], byte[]> record) {
        return Optional.ofNullable(RecordSerde.header(record.headers(), RecordSerde.TYPE));
    }

    /** The trace parent of a record, or null. */
    public static @Nullable String trace(Headers headers) {
        return RecordSerde.header(headers, TRACE);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
