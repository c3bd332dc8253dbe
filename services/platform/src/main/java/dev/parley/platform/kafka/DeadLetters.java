package dev.parley.platform.kafka;

import dev.parley.platform.serde.RecordSerde;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates and reads dead letters: key, value and headers of the record unchanged, and the cause in further headers. Each
 * is logged when it is sent, whoever sends it, in one line.
 */
public final class DeadLetters {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);

    /** Headers: topic, partition and offset of the record. */
    public static final String TOPIC = "dlq_topic";

    public static final String PARTITION = "dlq_partition";
    public static final String OFFSET = "dlq_offset";

    /** Header: the component that could not process it. */
    public static final String BY = "dlq_by";

    /** Headers: class and message of the error. */
    public static final String ERROR = "dlq_error";

    public static final String CAUSE = "dlq_cause";

    /** Header of a record without a value: the dead letter that was sent to its topic again. */
    public static final String REDRIVEN = "dlq_redriven";

    /** Header of a record that this process would have sent: {@link SigningProducer} signs it for its topic. */
    static final String UNSENT = "dlq_unsent";

    private static final List<String> OWN = List.of(TOPIC, PARTITION, OFFSET, BY, ERROR, CAUSE, UNSENT);
    private static final int MAX_CAUSE = 2_000;
    private static final int MAX_LOGGED_CAUSE = 500;

    private DeadLetters() {}

    /**
     * The dead letter of a consumed record.
     *
     * @param component name of the component that could not process it
     */
    public static ProducerRecord<byte[], byte[]> of(
            ConsumerRecord<byte[], byte[]> record, String component, Throwable cause) {
        return of(
                record.topic(),
                record.partition(),
                record.offset(),
                record.key(),
                record.value(),
                new RecordHeaders(record.headers()),
                component,
                cause);
    }

    /**
     * The dead letter of a record in parts.
     *
     * @param component name of the component that could not process it
     */
    public static ProducerRecord<byte[], byte[]> of(
            String topic,
            int partition,
            long offset,
            byte @Nullable [] key,
            byte @Nullable [] value,
            RecordHeaders headers,
            String component,
            Throwable cause) {
        OWN.forEach(headers::remove); // whoever wrote the record
        add(headers, TOPIC, topic);
        add(headers, PARTITION, Integer.toString(partition));
        add(headers, OFFSET, Long.toString(offset));
        add(headers, BY, component);
        add(headers, ERROR, cause.getClass().getName());
        String message = String.valueOf(cause.getMessage());
        add(headers, CAUSE, message.length() > MAX_CAUSE ? message.substring(0, MAX_CAUSE) : message);
        return new ProducerRecord<>(Topics.DEAD_LETTERS.name(), null, null, key, value, headers);
    }

    /**
     * The dead letter of a record that was not sent, as its receiver is in the process of its sender. It can be re-driven
     * like others.
     *
     * @param topic where it would have been sent; empty for none
     * @param component name of the component that could not process it
     */
    public static ProducerRecord<byte[], byte[]> ofUnsent(
            String topic,
            int partition,
            byte[] key,
            byte @Nullable [] value,
            RecordHeaders headers,
            String component,
            Throwable cause) {
        ProducerRecord<byte[], byte[]> letter = of(topic, partition, -1, key, value, headers, component, cause);
        add((RecordHeaders) letter.headers(), UNSENT, "");
        return letter;
    }

    /**
     * Sends the dead letter of an event that cannot be projected, and waits until it is acknowledged. Without a
     * producer the event was dead-lettered before: then it only logs.
     *
     * @throws KafkaException if it cannot be sent
     */
    public static void send(
            @Nullable Producer<byte[], byte[]> producer,
            ConsumerRecord<byte[], byte[]> record,
            String component,
            Exception cause) {
        ProducerRecord<byte[], byte[]> letter = of(record, component, cause);
        if (producer == null) {
            log(letter.headers(), "an event cannot be projected; it was dead-lettered before");
            return;
        }
        try {
            producer.send(letter).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException kafka ? kafka : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptException(e);
        }
    }

    /**
     * Logs a record that is about to be sent, if it is a dead letter. Whoever refuses a record of others has logged it:
     * those may be many.
     */
    static void log(ProducerRecord<byte[], byte[]> sent) {
        String component = sent.topic().equals(Topics.DEAD_LETTERS.name()) ? text(sent.headers(), BY) : "";
        if (!component.isEmpty() && !component.equals(RefusedRecords.NAME)) {
            log(sent.headers(), "a record goes to dead-letters");
        }
    }

    private static void log(Headers letter, String message) {
        // One line, whatever is in the message of an exception.
        String cause = (text(letter, ERROR) + ": " + text(letter, CAUSE)).replaceAll("[\\s\\p{Cntrl}]+", " ");
        LOG.atWarn()
                .addKeyValue("topic", text(letter, TOPIC))
                .addKeyValue("partition", text(letter, PARTITION))
                .addKeyValue("offset", text(letter, OFFSET))
                .addKeyValue("by", text(letter, BY))
                .addKeyValue("cause", cause.length() > MAX_LOGGED_CAUSE ? cause.substring(0, MAX_LOGGED_CAUSE) : cause)
                .log(message);
    }

    private static String text(Headers letter, String name) {
        return Objects.requireNonNullElse(RecordSerde.header(letter, name), "");
    }

    /** The topic of the record of a dead letter. */
    static String topic(Headers letter) {
        return new String(letter.lastHeader(TOPIC).value(), StandardCharsets.UTF_8);
    }

    /** The number in a header; -1 if it has none, since the topic may have records of other programs. */
    public static long number(ConsumerRecord<byte[], byte[]> letter, String name) {
        try {
            return Long.parseLong(Objects.requireNonNullElse(RecordSerde.header(letter.headers(), name), ""));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /**
     * The original record of a dead letter.
     *
     * @param partition its original partition
     */
    public static ProducerRecord<byte[], byte[]> original(ConsumerRecord<byte[], byte[]> letter, int partition) {
        var headers = new RecordHeaders(letter.headers());
        String topic = topic(headers);
        OWN.forEach(headers::remove);
        return new ProducerRecord<>(topic, partition, null, letter.key(), letter.value(), headers);
    }

    private static void add(RecordHeaders headers, String name, String value) {
        headers.remove(name).add(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
