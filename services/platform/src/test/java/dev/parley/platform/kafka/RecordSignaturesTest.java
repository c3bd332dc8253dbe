package dev.parley.platform.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.sealing.InstallationKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every topic is signed or says why not; what is changed, moved, removed or signed by others is refused. */
class RecordSignaturesTest {
    private static final InstallationKey KEY = key(1);
    private static final RecordSignatures OURS = new RecordSignatures(KEY, UnsignedRecords.NONE);
    private static final byte[] NAME = "a key".getBytes(UTF_8);
    private static final byte[] VALUE = "a value".getBytes(UTF_8);

    static Stream<String> signed() {
        return Topics.all().stream().map(Topic::name).filter(Topics::isSigned);
    }

    @Test
    @Tag("B61")
    void everyTopicIsSignedOrSaysWhyNot() {
        for (Topic<?> topic : Topics.all()) {
            assertEquals(
                    Topics.isSigned(topic.name()), Topics.unsignedBecause(topic).isEmpty(), topic.name());
        }
        for (Topic<?> topic : List.of(
                Topics.ACCESS,
                Topics.DEFINITIONS,
                Topics.RULE_REQUESTS,
                Topics.ERASURES,
                Topics.TURN_COMMANDS,
                Topics.MEMORY_COMMANDS,
                Topics.WORKFLOW_COMMANDS,
                Topics.TOOL_REQUESTS,
                Topics.MODEL_REQUESTS,
                Topics.WORKFLOW_REQUESTS,
                Topics.RESULTS)) {
            assertTrue(Topics.isSigned(topic.name()), topic.name());
        }
    }

    @ParameterizedTest
    @MethodSource("signed")
    @Tag("B83")
    void deadLetterOfAnUnsentRecordIsSignedForItsTopicAndThatOfAForgedOneIsNot(String topic) {
        // Given
        var cause = new IllegalStateException("no");
        var forged = new RecordHeaders();
        forged.add(DeadLetters.UNSENT, new byte[0]);

        // When
        var unsent = DeadLetters.ofUnsent(topic, 1, NAME, VALUE, new RecordHeaders(), "decide", cause);
        var refused = DeadLetters.of(topic, 1, 7, NAME, VALUE, forged, "decide", cause);
        OURS.sign(unsent);
        OURS.sign(refused);

        // Then
        assertEquals("", fault(OURS, redriven(unsent)));
        assertEquals("it is not signed", fault(OURS, redriven(refused)));
    }

    private static ConsumerRecord<byte[], byte[]> redriven(ProducerRecord<byte[], byte[]> letter) {
        var record = DeadLetters.original(consumed(letter, 0), 1);
        return consumed(record, 1);
    }

    private static ConsumerRecord<byte[], byte[]> consumed(ProducerRecord<byte[], byte[]> sent, int partition) {
        return new ConsumerRecord<>(
                sent.topic(),
                partition,
                0,
                0,
                TimestampType.CREATE_TIME,
                0,
                0,
                sent.key(),
                sent.value(),
                sent.headers(),
                Optional.empty());
    }

    @ParameterizedTest
    @MethodSource("signed")
    @Tag("B61")
    void refusesWhatNobodyHereHasWritten(String topic) {
        for (byte[] value : new byte[][] {VALUE, null}) { // a forged tombstone would remove a denial
            assertEquals("it is not signed", fault(OURS, record(topic, value)));
            var others = signed(new RecordSignatures(key(2), UnsignedRecords.NONE), topic, value);
            assertTrue(fault(OURS, others).contains("PARLEY_INSTALLATION_KEY"));
            assertEquals("", fault(OURS, signed(OURS, topic, value)));
        }
    }

    @ParameterizedTest
    @MethodSource("signed")
    void refusesWhatWasChangedOrMoved(String topic) {
        ConsumerRecord<byte[], byte[]> good = signed(OURS, topic, VALUE);
        var changed = new ArrayList<ConsumerRecord<byte[], byte[]>>();
        changed.add(consumed(topic, "another".getBytes(UTF_8), VALUE, good.headers()));
        changed.add(consumed(topic, NAME, "another".getBytes(UTF_8), good.headers()));
        changed.add(consumed(topic, NAME, null, good.headers()));
        changed.add(consumed(topic, null, VALUE, good.headers()));
        signed().filter(other -> !other.equals(topic))
                .forEach(other -> changed.add(consumed(other, NAME, VALUE, good.headers())));
        for (String header : List.of("ce_id", "ce_type", "ce_dataschema", RecordSignatures.REVISION)) {
            var headers = new RecordHeaders(good.headers());
            changed.add(consumed(topic, NAME, VALUE, headers.remove(header).add(header, "x".getBytes(UTF_8))));
        }
        for (ConsumerRecord<byte[], byte[]> record : changed) {
            assertEquals("its signature is not that of its content", fault(OURS, record), record.toString());
        }
    }

    @Test
    void refusesRandomHeaders() {
        var random = new Random(6);
        for (int i = 0; i < 500; i++) {
            byte[] mac = new byte[random.nextInt(80)];
            random.nextBytes(mac);
            var headers = new RecordHeaders().add(RecordSignatures.HEADER, i % 7 == 0 ? null : mac);
            assertFalse(fault(OURS, consumed("access", NAME, VALUE, headers)).isEmpty());
        }
    }

    @Test
    @Tag("B64")
    void acceptsRecordsOfOlderKeysWhileTheyAreThere() {
        var old = signed(OURS, "access", VALUE);
        var both = new RecordSignatures(InstallationKey.parse(text(2) + "," + text(1)), UnsignedRecords.NONE);

        assertEquals("", fault(both, old));
        assertFalse(both.isCurrent(old), "and has them signed anew");
        assertTrue(both.isCurrent(signed(both, "access", VALUE)));
    }

    @Test
    @Tag("B65")
    void acceptsRecordsOfReleasesThatSignedNothing() {
        var partition = new TopicPartition("access", 0);
        var updated = new RecordSignatures(KEY, new UnsignedRecords(false, Map.of(partition, 10L)));

        assertEquals("", fault(updated, at(9, "access")));
        assertEquals("it is not signed", fault(updated, at(10, "access")));
        assertEquals("it is not signed", fault(updated, at(0, "definitions")));
        assertEquals("", fault(new RecordSignatures(KEY, UnsignedRecords.ALL), at(99, "access")));
        var forged = signed(new RecordSignatures(key(2), UnsignedRecords.NONE), "access", VALUE);
        assertFalse(
                fault(new RecordSignatures(KEY, UnsignedRecords.ALL), forged).isEmpty());
        var offsets = new UnsignedRecords(false, Map.of(partition, 10L, new TopicPartition("results", 3), 7L));
        assertEquals(offsets, UnsignedRecords.parse(offsets.text()));
        assertEquals(UnsignedRecords.NONE, UnsignedRecords.parse(""));
    }

    @Test
    @Tag("B62")
    void dropsRefusedRecordsAndGoesOn() {
        var signatures = new RecordSignatures(KEY, UnsignedRecords.NONE);
        var told = new ArrayList<RecordSignatures.Refused>();
        signatures.onRefused(told::add);
        var partition = new TopicPartition("access", 0);
        var next = Map.of(partition, new OffsetAndMetadata(4));
        var good = signed(OURS, "access", VALUE);
        var bad = record("access", VALUE);

        var kept = signatures.accepted(new ConsumerRecords<>(Map.of(partition, List.of(bad, good, bad)), next), true);

        assertEquals(List.of(good), kept.records(partition));
        assertEquals(next, kept.nextOffsets());
        assertEquals(2, told.size());
        assertEquals(2, signatures.refused("access"));
        var polled = new ConsumerRecords<>(Map.of(partition, List.of(bad)), next);
        assertTrue(signatures.accepted(polled, false).isEmpty());
    }

    @Test
    @Tag("B63")
    void refusesAnEarlierStateThatIsSentAgain() {
        var revisions = new RecordRevisions();
        var first = revised(5, VALUE);
        var tombstone = revised(8, null);

        assertTrue(revisions.isNext("a", first));
        assertTrue(revisions.isNext("a", first), "a duplicate");
        assertTrue(revisions.isNext("a", tombstone));
        assertFalse(revisions.isNext("a", first), "the key was removed");
        assertFalse(revisions.isNext("a", record("access", VALUE)), "it has no revision");
        assertTrue(revisions.isNext("b", first));
        assertTrue(revisions.isNext("a", revised(9, VALUE)));
    }

    private static ConsumerRecord<byte[], byte[]> revised(long revision, byte @Nullable [] value) {
        var record = RecordRevisions.revise(new ProducerRecord<>("access", NAME, value), revision);
        return consumed("access", NAME, value, record.headers());
    }

    private static String fault(RecordSignatures signatures, ConsumerRecord<byte[], byte[]> record) {
        return signatures.fault(record).map(Throwable::getMessage).orElse("");
    }

    private static ConsumerRecord<byte[], byte[]> signed(
            RecordSignatures signatures, String topic, byte @Nullable [] value) {
        var sent = new ProducerRecord<>(topic, NAME, value);
        RecordCodec.stamp(sent.headers(), topic, new UUID(1, 2), Instant.EPOCH, null);
        signatures.sign(sent);
        signatures.sign(sent); // a record that is sent twice has one signature
        return consumed(topic, NAME, value, sent.headers());
    }

    private static ConsumerRecord<byte[], byte[]> record(String topic, byte @Nullable [] value) {
        return consumed(topic, NAME, value, new RecordHeaders());
    }

    private static ConsumerRecord<byte[], byte[]> at(long offset, String topic) {
        return new ConsumerRecord<>(topic, 0, offset, NAME, VALUE);
    }

    private static ConsumerRecord<byte[], byte[]> consumed(
            String topic, byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        return new ConsumerRecord<>(
                topic, 0, 3, 0, TimestampType.CREATE_TIME, 0, 0, key, value, headers, Optional.empty());
    }

    private static InstallationKey key(int seed) {
        return InstallationKey.parse(text(seed));
    }

    private static String text(int seed) {
        byte[] bytes = new byte[InstallationKey.LENGTH];
        Arrays.fill(bytes, (byte) seed);
        return Base64.getEncoder().encodeToString(bytes);
    }
}
