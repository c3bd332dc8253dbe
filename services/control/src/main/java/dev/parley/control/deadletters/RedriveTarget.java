package dev.parley.control.deadletters;

import dev.parley.platform.config.JsonTopic;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.mirror.Mirroring;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Where a dead letter goes when it is re-driven: to the component that could not process it. The letter of a JSON mirror
 * goes to the mirror, in JSON, because all others have processed the record of its topic.
 */
@Singleton
final class RedriveTarget {
    private final Map<String, JsonTopic> mirrored;
    private final Mirroring mirroring = new Mirroring(RecordCodec.recordJson());

    @Inject
    RedriveTarget(ParleyConfig config) {
        this(config.jsonTopics());
    }

    /** @param topics those that are mirrored */
    RedriveTarget(List<JsonTopic> topics) {
        mirrored = topics.stream()
                .collect(Collectors.toUnmodifiableMap(topic -> topic.source().name(), Function.identity()));
    }

    /**
     * The record to send; empty where a mirror cannot take it: it is still unreadable or too large, or its topic or type
     * is not mirrored.
     *
     * @throws dev.parley.platform.serde.SchemaLookupException where its schema cannot be looked up now
     */
    Optional<ProducerRecord<byte[], byte[]>> of(DeadLetter letter, ConsumerRecord<byte[], byte[]> record) {
        ProducerRecord<byte[], byte[]> original = DeadLetters.original(record, letter.partition());
        if (!letter.by().equals(Mirroring.BY)) {
            return Optional.of(original);
        }
        return Optional.ofNullable(mirrored.get(letter.topic()))
                .flatMap(mirror -> mirroring.of(mirror, consumed(letter, original, record)))
                .filter(copy -> !copy.topic().equals(Topics.DEAD_LETTERS.name()));
    }

    /** The record as its reader had it, at the time of the letter. */
    private static ConsumerRecord<byte[], byte[]> consumed(
            DeadLetter letter, ProducerRecord<byte[], byte[]> original, ConsumerRecord<byte[], byte[]> record) {
        return new ConsumerRecord<>(
                original.topic(),
                letter.partition(),
                letter.offset(),
                record.timestamp(),
                record.timestampType(),
                record.serializedKeySize(),
                record.serializedValueSize(),
                original.key(),
                original.value(),
                original.headers(),
                Optional.empty());
    }
}
