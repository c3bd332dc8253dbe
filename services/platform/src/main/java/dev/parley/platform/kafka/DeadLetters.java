package dev.parley.platform.kafka;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** Makes the record that a broken one leaves on {@code dead-letters}: key, value and headers as they were, and the cause. */
public final class DeadLetters {
    private static final int MAX_CAUSE = 2_000;

    private DeadLetters() {}

    /** The dead letter of a consumed record. */
    public static ProducerRecord<byte[], byte[]> of(ConsumerRecord<byte[], byte[]> record, String by, Throwable cause) {
        return of(
                record.topic(),
                record.partition(),
                record.offset(),
                record.key(),
                record.value(),
                new RecordHeaders(record.headers()),
                by,
                cause);
    }

    /** The dead letter of a record given by its parts; {@code by} names who could not process it. */
    public static ProducerRecord<byte[], byte[]> of(
            String topic,
            int partition,
            long offset,
            byte @Nullable [] key,
            byte @Nullable [] value,
            RecordHeaders headers,
            String by,
            Throwable cause) {
        add(headers, "dlq_topic", topic);
        add(headers, "dlq_partition", Integer.toString(partition));
        add(headers, "dlq_offset", Long.toString(offset));
        add(headers, "dlq_by", by);
        add(headers, "dlq_error", cause.getClass().getName());
        String message = String.valueOf(cause.getMessage());
        add(headers, "dlq_cause", message.length() > MAX_CAUSE ? message.substring(0, MAX_CAUSE) : message);
        return new ProducerRecord<>(Topics.DEAD_LETTERS.name(), null, null, key, value, headers);
    }

    private static void add(RecordHeaders headers, String name, String value) {
        headers.remove(name).add(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
