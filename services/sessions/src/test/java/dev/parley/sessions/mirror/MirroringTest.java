package dev.parley.sessions.mirror;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.erasure.ErasureRecord;
import dev.parley.domain.erasure.ErasureRecord.Removed;
import dev.parley.platform.config.JsonTopic;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.mirror.Mirroring;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Mirrored records, and the metadata of committed offsets. */
@Tag("O31")
class MirroringTest {
    private static final JsonTopic ALL = new JsonTopic(Topics.ERASURES, Set.of());
    private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");

    private final Mirroring mirroring = new Mirroring(RecordCodec.recordJson());
    private final UUID erasure = UUID.randomUUID();

    private ConsumerRecord<byte[], byte[]> removed() {
        Topic<ErasureRecord> topic = Topics.ERASURES;
        var value = new Removed(erasure, UUID.randomUUID(), "tools", 1, NOW);
        var sent = RecordCodec.record(topic, value.key(), value, UUID.randomUUID(), null);
        return record(sent.key(), sent.value(), new RecordHeaders(sent.headers()));
    }

    private static ConsumerRecord<byte[], byte[]> record(byte[] key, byte[] value, RecordHeaders headers) {
        return new ConsumerRecord<>(
                Topics.ERASURES.name(),
                3,
                42,
                1_234,
                TimestampType.CREATE_TIME,
                key.length,
                value == null ? -1 : value.length,
                key,
                value,
                headers,
                Optional.empty());
    }

    private static String header(ProducerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }

    @Test
    void keepsPartitionKeyTimeAndHeaders() throws IOException {
        // When
        var mirrored = mirroring.of(ALL, removed()).orElseThrow();

        // Then
        assertEquals("erasures.json", mirrored.topic());
        assertEquals(3, mirrored.partition());
        assertEquals(1_234, mirrored.timestamp());
        assertEquals(erasure + "/tools", new String(mirrored.key(), StandardCharsets.UTF_8));
        assertEquals("Removed", header(mirrored, "ce_type"));
        assertFalse(header(mirrored, "ce_id").isEmpty());
        assertEquals("application/json", header(mirrored, "content-type"));
        var json = new ObjectMapper().readTree(mirrored.value());
        assertEquals("Removed", json.path("@type").asText());
        assertEquals("tools", json.path("service").asText());
    }

    @Test
    void forwardsTombstonesDespiteTheFilter() {
        var narrow = new JsonTopic(Topics.ERASURES, Set.of("SessionGone"));
        var mirrored = mirroring
                .of(narrow, record("gone".getBytes(StandardCharsets.UTF_8), null, new RecordHeaders()))
                .orElseThrow();

        assertNull(mirrored.value());
        assertEquals("gone", new String(mirrored.key(), StandardCharsets.UTF_8));
        assertEquals(Optional.empty(), mirroring.of(narrow, removed()), "other records are left out");
    }

    @Test
    void sendsUnreadableRecordsToDeadLetters() {
        var broken = record("k".getBytes(StandardCharsets.UTF_8), new byte[] {0, 1, 2}, new RecordHeaders());

        var letter = mirroring.of(ALL, broken).orElseThrow();

        assertEquals(Topics.DEAD_LETTERS.name(), letter.topic());
        assertEquals("json-mirror", header(letter, DeadLetters.BY));
        assertEquals("42", header(letter, DeadLetters.OFFSET));
        assertEquals(3, letter.value().length);
    }

    private JsonNode mirroredLetter(byte[] value, RecordHeaders headers) throws IOException {
        var broken = record("k".getBytes(StandardCharsets.UTF_8), value, headers);
        var sent = DeadLetters.of(broken, "projector", new IllegalStateException("why"));
        var letter = new ConsumerRecord<>(sent.topic(), 1, 7, sent.key(), sent.value());
        sent.headers().forEach(letter.headers()::add);

        var mirrored = mirroring
                .of(new JsonTopic(Topics.DEAD_LETTERS, Set.of()), letter)
                .orElseThrow();

        assertEquals("dead-letters.json", mirrored.topic());
        assertEquals(1, mirrored.partition());
        assertEquals("projector", header(mirrored, DeadLetters.BY));
        return new ObjectMapper().readTree(mirrored.value());
    }

    @Test
    void mirroredDeadLetterContainsItsCauseAndRecord() throws IOException {
        // Given
        var removed = removed();

        // When
        var json = mirroredLetter(removed.value(), new RecordHeaders(removed.headers()));

        // Then
        assertEquals("DeadLetter", json.path("@type").asText());
        assertEquals("erasures", json.path("topic").asText());
        assertEquals(3, json.path("partition").asInt());
        assertEquals(42, json.path("offset").asLong());
        assertEquals("projector", json.path("by").asText());
        assertEquals("java.lang.IllegalStateException", json.path("error").asText());
        assertEquals("why", json.path("cause").asText());
        assertEquals("Removed", json.path("record").path("@type").asText());
        assertTrue(json.path("bytes").isNull());
    }

    @Test
    void unreadableDeadLetterIsMirroredWithItsBytes() throws IOException {
        byte[] value = {0, 1, 2};

        var json = mirroredLetter(value, new RecordHeaders());

        assertTrue(json.path("record").isNull());
        assertArrayEquals(value, json.path("bytes").binaryValue());
    }

    @Test
    void offsetMetadataTellsWhetherTheMirrorIsValid() {
        // Given
        String unfiltered = MirrorCheckpoint.digest(ALL);
        String filtered = MirrorCheckpoint.digest(new JsonTopic(Topics.ERASURES, Set.of("SessionGone")));
        MirrorCheckpoint checkpoint =
                Objects.requireNonNull(MirrorCheckpoint.parse(new MirrorCheckpoint(unfiltered, NOW).toString()));

        // Then
        assertNotEquals(unfiltered, filtered);
        assertTrue(checkpoint.canResume(unfiltered, NOW.plus(Duration.ofDays(5))));
        assertFalse(checkpoint.canResume(filtered, NOW));
        assertFalse(
                checkpoint.canResume(unfiltered, NOW.plus(Duration.ofDays(6))),
                "it may not hear of all that was erased");
        assertTrue(new MirrorCheckpoint(MirrorCheckpoint.NONE, NOW)
                .canResume(MirrorCheckpoint.digest(null), NOW.plus(Duration.ofDays(60))));
        assertFalse(new MirrorCheckpoint(MirrorCheckpoint.CHANGING, NOW).canResume(unfiltered, NOW));
        assertNull(MirrorCheckpoint.parse(""));
        assertNull(MirrorCheckpoint.parse("moved@by-hand"));
    }
}
