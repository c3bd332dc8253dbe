package dev.parley.platform.streams;

import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Forwards the output of a processor: records with their headers, each to the sink of its topic. */
public final class Sinks {
    private final ProcessorContext<byte[], byte[]> context;
    private final String source;

    /** @param source of the records, in their headers */
    public Sinks(ProcessorContext<byte[], byte[]> context, String source) {
        this.context = context;
        this.source = source;
    }

    /**
     * Adds the sink of a topic to a topology.
     *
     * @param partitioner null for the default partitioning by key
     */
    public static void add(
            Topology topology,
            Topic<?> topic,
            @Nullable StreamPartitioner<byte[], byte[]> partitioner,
            String processor) {
        var bytes = new ByteArraySerializer();
        if (partitioner == null) {
            topology.addSink(name(topic), topic.name(), bytes, bytes, processor);
        } else {
            topology.addSink(name(topic), topic.name(), bytes, bytes, partitioner, processor);
        }
    }

    private static String name(Topic<?> topic) {
        return topic.name() + "-sink";
    }

    /**
     * Sends a record.
     *
     * @param id of the record, by which consumers recognise duplicates
     */
    public <V> void send(Topic<V> topic, String key, V value, UUID id, Instant now, @Nullable String trace) {
        prepare(topic, key, value, id, now, trace).run();
    }

    /**
     * Encodes a record, and returns the action that sends it.
     *
     * @param id of the record, by which consumers recognise duplicates
     */
    public <V> Runnable prepare(Topic<V> topic, String key, V value, UUID id, Instant now, @Nullable String trace) {
        var headers = new RecordHeaders();
        RecordCodec.stamp(headers, source, id, now, trace);
        byte[] body = RecordCodec.write(topic, headers, value);
        return () -> context.forward(new Record<>(bytes(key), body, now.toEpochMilli(), headers), name(topic));
    }

    /** Sends a tombstone. */
    public void tombstone(Topic<?> topic, String key, Instant now) {
        context.forward(new Record<>(bytes(key), null, now.toEpochMilli(), new RecordHeaders()), name(topic));
    }

    /**
     * Sends a record to {@code dead-letters} with its bytes and headers unchanged.
     *
     * @param component name of the component that rejected it
     */
    public void deadLetter(Record<byte[], byte[]> record, String component, Throwable cause) {
        var meta = context.recordMetadata();
        var letter = DeadLetters.of(
                meta.map(m -> m.topic()).orElse(""),
                meta.map(m -> m.partition()).orElse(-1),
                meta.map(m -> m.offset()).orElse(-1L),
                record.key(),
                record.value(),
                new RecordHeaders(record.headers()),
                component,
                cause);
        forward(letter, Instant.ofEpochMilli(record.timestamp()));
    }

    /** Sends a dead letter. */
    void forward(ProducerRecord<byte[], byte[]> letter, Instant at) {
        context.forward(
                new Record<>(letter.key(), letter.value(), at.toEpochMilli(), letter.headers()),
                name(Topics.DEAD_LETTERS));
    }

    private static byte[] bytes(String key) {
        return key.getBytes(StandardCharsets.UTF_8);
    }
}
