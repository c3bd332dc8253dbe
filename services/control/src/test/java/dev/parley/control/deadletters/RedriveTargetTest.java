package dev.parley.control.deadletters;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.access.KeyUsed;
import dev.parley.platform.config.JsonTopic;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("B117")
class RedriveTargetTest {
    private static final UUID ID = new UUID(1, 2);
    private static final ProducerRecord<byte[], byte[]> USED =
            RecordCodec.record(Topics.KEY_USAGE, "key", new KeyUsed(ID, ID, Instant.EPOCH), ID, null);

    private final RedriveTarget target = new RedriveTarget(List.of(new JsonTopic(Topics.KEY_USAGE, Set.of())));

    @Test
    void letterOfAMirrorGoesToTheMirrorInJson() {
        ConsumerRecord<byte[], byte[]> letter = letter("key-usage", USED.value(), "json-mirror");

        var record = target.of(DeadLetter.of(letter), letter).orElseThrow();

        assertEquals("key-usage.json", record.topic());
        assertEquals(3, record.partition());
        assertTrue(new String(record.value(), StandardCharsets.UTF_8).startsWith("{\"@type\":\"KeyUsed\""));
        assertTrue(record.headers().lastHeader(DeadLetters.BY) == null, "it is no letter any more");
    }

    @Test
    void otherLettersGoToTheirTopicUnchanged() {
        ConsumerRecord<byte[], byte[]> letter = letter("key-usage", USED.value(), "usage-counter");

        var record = target.of(DeadLetter.of(letter), letter).orElseThrow();

        assertEquals("key-usage", record.topic());
        assertArrayEquals(USED.value(), record.value());
    }

    /** It is neither sent to its topic nor made a letter again. */
    @Test
    void letterThatTheMirrorCannotTakeStays() {
        ConsumerRecord<byte[], byte[]> broken = letter("key-usage", new byte[] {1, 2, 3}, "json-mirror");
        ConsumerRecord<byte[], byte[]> unlisted = letter("audit", USED.value(), "json-mirror");

        assertTrue(target.of(DeadLetter.of(broken), broken).isEmpty());
        assertTrue(target.of(DeadLetter.of(unlisted), unlisted).isEmpty());
    }

    /** A mirror of a compacted topic may have a newer record of the key, or none because it is erased. */
    @Test
    void mirrorsTakeLettersOfTopicsWithARetention() {
        for (Topic<?> topic : Topics.all()) {
            boolean kept = topic.retention() != null && topic != Topics.DEAD_LETTERS;

            assertEquals(
                    kept,
                    DeadLetter.of(letter(topic.name(), USED.value(), "json-mirror"))
                            .redrivable(),
                    topic.name());
        }
        assertFalse(DeadLetter.of(letter("outcomes", USED.value(), "turns")).redrivable());
    }

    private static ConsumerRecord<byte[], byte[]> letter(String topic, byte[] value, String by) {
        var headers = new RecordHeaders(USED.headers());
        ProducerRecord<byte[], byte[]> letter =
                DeadLetters.of(topic, 3, 7, USED.key(), value, headers, by, new IllegalStateException("unreadable"));
        var record = new ConsumerRecord<>("dead-letters", 0, 1, letter.key(), letter.value());
        letter.headers().forEach(header -> record.headers().add(header));
        return record;
    }
}
