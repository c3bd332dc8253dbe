package dev.parley.control.deadletters;

import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.mirror.Mirroring;
import dev.parley.platform.serde.RecordSerde;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A record that could not be read or processed.
 *
 * @param id Id: partition and offset on dead-letters, such as 0-17.
 * @param topic Original topic of the record.
 * @param type Name of the record type, such as SubmitTurn; empty if it has none.
 * @param by Processor or worker that could not process the record.
 * @param error Class of the error.
 * @param bytes Size of the value in bytes.
 * @param redrivable True if the record can be sent to its topic again: commands, requests and results.
 * @param redriven Time of the re-drive; null if there was none.
 */
@Serdeable
@Schema(name = "DeadLetter")
record DeadLetter(
        String id,
        Instant at,
        String topic,
        int partition,
        long offset,
        String key,
        String type,
        String by,
        String error,
        String cause,
        int bytes,
        boolean redrivable,
        @Nullable Instant redriven) {
    private static final Pattern ID = Pattern.compile("(\\d{1,5})-(\\d{1,18})");

    static DeadLetter of(ConsumerRecord<byte[], byte[]> record) {
        String topic = text(record, DeadLetters.TOPIC);
        return new DeadLetter(
                record.partition() + "-" + record.offset(),
                Instant.ofEpochMilli(record.timestamp()),
                topic,
                (int) DeadLetters.number(record, DeadLetters.PARTITION),
                DeadLetters.number(record, DeadLetters.OFFSET),
                RecordCodec.key(record),
                text(record, RecordSerde.TYPE),
                text(record, DeadLetters.BY),
                text(record, DeadLetters.ERROR),
                text(record, DeadLetters.CAUSE),
                record.value() == null ? 0 : record.value().length,
                record.value() != null && isRedrivable(topic, text(record, DeadLetters.BY)),
                null);
    }

    /**
     * Events are not re-driven: a replay reads them from their topic, and a mirror of theirs may have a newer record, or
     * none because it is erased. Outcomes and stream deltas have no processor but a mirror.
     */
    private static boolean isRedrivable(String name, String by) {
        return Topics.find(name)
                .filter(topic -> topic.cleanup() == Topic.Cleanup.DELETE && topic != Topics.DEAD_LETTERS)
                .filter(topic -> by.equals(Mirroring.BY) || topic != Topics.OUTCOMES && topic != Topics.TURN_DELTAS)
                .isPresent();
    }

    DeadLetter redrivenAt(@Nullable Instant moment) {
        return new DeadLetter(id, at, topic, partition, offset, key, type, by, error, cause, bytes, redrivable, moment);
    }

    /** The offset of the dead letter with this id; empty for an invalid id. */
    static Optional<Place> parsePlace(String id) {
        Matcher parts = ID.matcher(id);
        return parts.matches()
                ? Optional.of(new Place(
                        new TopicPartition(Topics.DEAD_LETTERS.name(), Integer.parseInt(parts.group(1))),
                        Long.parseLong(parts.group(2))))
                : Optional.empty();
    }

    /** An offset of a partition of the topic. */
    record Place(TopicPartition partition, long offset) {}

    static String text(ConsumerRecord<byte[], byte[]> record, String name) {
        return Objects.requireNonNullElse(RecordSerde.header(record.headers(), name), "");
    }
}
