package dev.parley.platform.serde;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CancelCall;
import dev.parley.domain.protocol.ModelWork;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnInput;
import dev.parley.platform.serde.UnreadableRecordException.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordSerdeTest {
    private static final CallResult PROGRESS = new CallResult.CallProgress(new UUID(1, 2), 3, "worker-1");
    private static final RecordSerde<CallResult> RESULTS = RecordSerde.of(CallResult.class);

    @Test
    @Tag("O9")
    void startsWithTheConfluentHeader() {
        byte[] bytes = RESULTS.serializer().serialize("results", PROGRESS);

        assertEquals(0, bytes[0]);
        assertEquals("CallProgress", schemaOf(ByteBuffer.wrap(bytes).getInt(1)).getName());
    }

    private static Schema schemaOf(int id) {
        return SchemaIds.bundled().schemaOf(id).orElseThrow();
    }

    @Test
    void setsTypeAndSchemaHeadersOnce() {
        var headers = headers(RecordSerde.TYPE, "SubmitTurn").add(RecordSerde.DATASCHEMA, new byte[] {1});

        RESULTS.serializer().serialize("results", headers, PROGRESS);

        assertEquals("CallProgress", text(headers, RecordSerde.TYPE));
        assertTrue(text(headers, RecordSerde.DATASCHEMA)
                .matches("urn:parley:schema:dev\\.parley\\.avro\\.CallProgress:[0-9a-f]{16}"));
        assertEquals("application/vnd.apache.avro+binary", text(headers, RecordSerde.CONTENT_TYPE));
        assertEquals(3, headers.toArray().length);
    }

    @Test
    void aTombstoneIsNull() {
        assertNull(RESULTS.serializer().serialize("results", new RecordHeaders(), null));
        assertNull(RESULTS.deserializer().deserialize("results", new RecordHeaders(), (byte[]) null));
    }

    @Test
    void schemaHeaderTakesPrecedenceOverTheId() {
        var headers = new RecordHeaders();
        byte[] bytes = RESULTS.serializer().serialize("results", headers, PROGRESS);
        ByteBuffer.wrap(bytes).putInt(1, 4711);

        assertEquals(PROGRESS, RESULTS.deserializer().deserialize("results", headers, bytes));
    }

    @Test
    void readsTheSchemaHeaderOfEarlierReleases() {
        var headers = new RecordHeaders();
        byte[] bytes = RESULTS.serializer().serialize("results", headers, PROGRESS);
        String[] parts = text(headers, RecordSerde.DATASCHEMA).split(":");
        ByteBuffer.wrap(bytes).putInt(1, 4711);

        assertEquals(
                PROGRESS,
                RESULTS.deserializer()
                        .deserialize("results", headers(RecordSerde.DATASCHEMA, parts[3] + "#" + parts[4]), bytes));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.parley.avro.CallProgress#0123456789abcdef",
                "urn:parley:schema:dev.parley.avro.CallProgress:0123456789abcdef"
            })
    void rejectsAnUnknownFingerprintDespiteAKnownId(String reference) {
        byte[] bytes = RESULTS.serializer().serialize("results", PROGRESS);
        var newer = headers(RecordSerde.DATASCHEMA, reference);

        assertEquals(Reason.UNKNOWN_SCHEMA, reason(newer, bytes));
    }

    @Test
    void ignoresAForeignDataschemaHeader() {
        byte[] bytes = RESULTS.serializer().serialize("results", PROGRESS);
        var foreign = headers(RecordSerde.DATASCHEMA, "https://example.org/schema.json");

        assertEquals(PROGRESS, RESULTS.deserializer().deserialize("results", foreign, bytes));
    }

    @Test
    @Tag("O5")
    void reportsWhyARecordIsUnreadable() {
        // Given
        byte[] bytes = RESULTS.serializer().serialize("results", PROGRESS);
        byte[] stranger = "{\"json\":true}".getBytes(StandardCharsets.UTF_8);
        byte[] unknown = bytes.clone();
        ByteBuffer.wrap(unknown).putInt(1, 4711);
        byte[] other = RecordSerde.of(ModelWork.class).serializer().serialize("t", new CancelCall(new UUID(1, 2)));

        // Then
        assertEquals(Reason.UNKNOWN_MAGIC_BYTE, reason(new RecordHeaders(), stranger));
        assertEquals(Reason.UNKNOWN_SCHEMA, reason(new RecordHeaders(), unknown));
        assertEquals(Reason.WRONG_TYPE, reason(new RecordHeaders(), other));
        assertEquals(Reason.WRONG_LENGTH, reason(new RecordHeaders(), Arrays.copyOf(bytes, bytes.length + 1)));
        for (int length = 0; length < bytes.length; length++) {
            assertEquals(Reason.WRONG_LENGTH, reason(new RecordHeaders(), Arrays.copyOf(bytes, length)));
        }
    }

    @Test
    @Tag("O5")
    void garbageCausesNoOtherException() {
        var random = new Random(11);
        var serde = RecordSerde.of(TurnEvent.class);
        TurnEvent event = new RandomRecords(3).next(TurnEvent.SessionOpened.class);
        byte[] good = serde.serializer().serialize("t", event);
        int damaged = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = i % 2 == 0 ? good.clone() : new byte[5 + random.nextInt(200)];
            if (i % 2 == 0) {
                bytes[5 + random.nextInt(bytes.length - 5)] ^= (byte) (1 << random.nextInt(8));
            } else {
                random.nextBytes(bytes);
                ByteBuffer.wrap(bytes).put(0, (byte) 0).putInt(1, 1 + random.nextInt(47));
            }
            try {
                TurnEvent read = serde.deserializer().deserialize("t", bytes);
                // one bit may change a text or a number: then it is a whole event, that can be written again
                assertEquals(0, i % 2, () -> "read from random bytes: " + read);
                assertEquals(
                        read,
                        serde.deserializer().deserialize("t", serde.serializer().serialize("t", read)));
            } catch (UnreadableRecordException e) {
                assertTrue(e.getMessage().contains(e.reason().name()));
                damaged += 1 - i % 2;
            }
        }
        assertTrue(damaged > 1_000, damaged + " damaged records are refused");
    }

    @Test
    @Tag("K18")
    void valueThatTheDomainRejectsIsInvalid() {
        var headers = new RecordHeaders();
        byte[] bytes = RESULTS.serializer().serialize("results", headers, PROGRESS);
        bytes[10] = 'x'; // inside the UUID's text

        assertEquals(Reason.INVALID_VALUE, reason(headers, bytes));
    }

    @Test
    void reportsWhyARecordCannotBeSerialized() {
        // Given
        var endless = new CallResult.RetryAfter(new UUID(1, 2), 1, Duration.ofSeconds(Long.MAX_VALUE), "never");
        var nameless = new CallResult.CallProgress(new UUID(1, 2), 1, (@Nullable String) null);

        // When
        var tooLong = assertThrows(
                SerializationException.class, () -> RESULTS.serializer().serialize("results", endless));
        var isNull = assertThrows(
                SerializationException.class, () -> RESULTS.serializer().serialize("results", nameless));

        // Then
        assertTrue(tooLong.getMessage().contains("RetryAfter cannot be written to results"), tooLong.getMessage());
        assertTrue(isNull.getMessage().contains("CallProgress.worker is null"), isNull.getMessage());
        assertArrayEquals(
                RESULTS.serializer().serialize("results", PROGRESS),
                RESULTS.serializer().serialize("results", PROGRESS));
    }

    @Test
    void aTypeWithoutASchemaFailsWhenItsSerdeIsMade() {
        var failure = assertThrows(IllegalStateException.class, () -> RecordSerde.of(TurnInput.class));

        assertEquals(
                "there is no schema for the record dev.parley.domain.protocol.TurnInput$Tick", failure.getMessage());
    }

    public record Sample(String name, @Nullable Integer size) {}

    @Test
    void rejectsDifferencesBetweenCodeAndSchema() {
        // Then
        assertDiffers("\"name\":\"name\",\"type\":\"string\"", "no field for the component [size]");
        assertDiffers(
                "\"name\":\"name\",\"type\":\"string\"},{\"name\":\"size\",\"type\":\"int\"",
                "may be null in nullable Integer");
        assertDiffers(
                "\"name\":\"name\",\"type\":\"string\"},{\"name\":\"size\",\"type\":[\"null\",\"string\"]",
                "Sample.size: a Integer cannot be written as \"string\"");
        assertDiffers(
                "\"name\":\"name\",\"type\":\"string\"},{\"name\":\"size\",\"type\":[\"null\",\"int\"]},"
                        + "{\"name\":\"colour\",\"type\":\"string\"",
                "no component for the schema's field [colour]");
    }

    private static void assertDiffers(String fields, String message) {
        var schema =
                new Schema.Parser().parse("{\"type\":\"record\",\"name\":\"Sample\",\"fields\":[{" + fields + "}]}");
        var failure = assertThrows(
                IllegalStateException.class, () -> new Writers().compile(schema, JavaType.of(Sample.class), "Sample"));
        assertTrue(failure.getMessage().contains(message), failure.getMessage());
    }

    private static Reason reason(Headers headers, byte[] bytes) {
        return assertThrows(
                        UnreadableRecordException.class,
                        () -> RESULTS.deserializer().deserialize("results", headers, bytes))
                .reason();
    }

    private static Headers headers(String name, String value) {
        return new RecordHeaders().add(name, value.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Headers headers, String name) {
        return new String(headers.lastHeader(name).value(), StandardCharsets.UTF_8);
    }
}
