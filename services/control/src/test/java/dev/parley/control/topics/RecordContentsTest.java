package dev.parley.control.topics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.Topics;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** Records that no schema reads. */
class RecordContentsTest {
    private static ConsumerRecord<byte[], byte[]> record(String topic) {
        return new ConsumerRecord<>(topic, 0, 0, new byte[0], "unread".getBytes(StandardCharsets.UTF_8));
    }

    private static ConsumerRecord<byte[], byte[]> letter(String topic) {
        ConsumerRecord<byte[], byte[]> letter = record(Topics.DEAD_LETTERS.name());
        letter.headers().add(DeadLetters.TOPIC, topic.getBytes(StandardCharsets.UTF_8));
        return letter;
    }

    @Test
    void hidesBytesThatMayHaveTheDigestOfAKey() {
        String access = Topics.ACCESS.name();
        for (var hidden :
                List.of(record(access), letter(access), letter("unknown"), record(Topics.DEAD_LETTERS.name()))) {
            assertEquals("", RecordContents.start(hidden), hidden::toString);
            assertFalse(new RecordFilter(null, "unread", null).test(hidden), hidden::toString);
        }
    }

    @Test
    void showsBytesOfOtherTopics() {
        String commands = Topics.TURN_COMMANDS.name();
        for (var shown : List.of(record(commands), letter(commands))) {
            assertEquals("dW5yZWFk", RecordContents.start(shown), shown::toString);
            assertTrue(new RecordFilter(null, "unread", null).test(shown), shown::toString);
        }
    }
}
