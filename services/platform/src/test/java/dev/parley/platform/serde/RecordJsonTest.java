package dev.parley.platform.serde;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.MessageAppended;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** JSON form of the records of every topic. */
@Tag("O31")
class RecordJsonTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int RECORDS = 60;

    private final RecordJson json = new RecordJson(SchemaIds.bundled());

    static Stream<Class<?>> types() {
        return Topics.all().stream().<Class<?>>map(Topic::type).filter(type -> !type.isArray());
    }

    private <T> JsonNode toJson(Class<T> type, T value, boolean withHeaders) throws IOException {
        var headers = new RecordHeaders();
        byte[] bytes = RecordSerde.of(type).serializer().serialize("topic", headers, value);
        Schema schema = json.schema("topic", withHeaders ? headers : new RecordHeaders(), bytes);
        return JSON.readTree(json.write("topic", schema, bytes));
    }

    @ParameterizedTest
    @MethodSource("types")
    void everyRecordHasItsTypeNameAndFields(Class<?> type) throws IOException {
        check(type);
    }

    private <T> void check(Class<T> type) throws IOException {
        var random = new RandomRecords(type.getName().hashCode());
        for (int i = 0; i < RECORDS; i++) {
            T value = random.next(type);
            JsonNode object = toJson(type, value, i % 2 == 0);
            Schema schema = RecordSerde.schemas(value.getClass()).getFirst().schema();
            assertEquals(schema.getName(), object.path(RecordJson.TYPE).asText());
            assertConforms(schema, object);
        }
    }

    /** Checks JSON against its schema: all fields are present, and a value of a union names its type. */
    private static void assertConforms(Schema schema, JsonNode json) {
        switch (schema.getType()) {
            case RECORD -> {
                assertTrue(json.isObject(), schema.getName() + ": " + json);
                schema.getFields().forEach(field -> {
                    assertTrue(json.has(field.name()), field.name() + " in " + json);
                    assertConforms(field.schema(), json.get(field.name()));
                });
            }
            case ARRAY -> {
                assertTrue(json.isArray(), schema + ": " + json);
                json.forEach(item -> assertConforms(schema.getElementType(), item));
            }
            case MAP -> {
                assertTrue(json.isObject(), schema + ": " + json);
                json.forEach(item -> assertConforms(schema.getValueType(), item));
            }
            case UNION -> assertConforms(branch(schema, json), json);
            case ENUM -> assertTrue(schema.getEnumSymbols().contains(json.textValue()), schema + ": " + json);
            case STRING -> assertTrue(json.isTextual(), schema + ": " + json);
            case BYTES, FIXED ->
                assertDoesNotThrow(() -> Base64.getDecoder().decode(json.textValue()), schema + ": " + json);
            case LONG, INT -> {
                boolean isMoment = schema.getLogicalType() instanceof LogicalTypes.TimestampMicros;
                assertTrue(isMoment ? json.isTextual() : json.isIntegralNumber(), schema + ": " + json);
            }
            case FLOAT, DOUBLE -> assertTrue(json.isNumber() || json.isNull(), schema + ": " + json);
            case BOOLEAN -> assertTrue(json.isBoolean(), schema + ": " + json);
            case NULL -> assertTrue(json.isNull(), schema + ": " + json);
        }
    }

    /** The schema of a union's value: the only one besides null, or that of the record that it names. */
    private static Schema branch(Schema union, JsonNode json) {
        Map<Boolean, List<Schema>> types = union.getTypes().stream()
                .collect(Collectors.partitioningBy(type -> type.getType() == Schema.Type.NULL));
        if (json.isNull() && !types.get(true).isEmpty()) {
            return types.get(true).getFirst();
        }
        return types.get(false).size() == 1
                ? types.get(false).getFirst()
                : types.get(false).stream()
                        .filter(type ->
                                type.getName().equals(json.path(RecordJson.TYPE).asText()))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(union + ": " + json));
    }

    @Test
    void writesTimesAndIdsAsText() throws IOException {
        // Given
        var random = new RandomRecords(7);
        Reply reply = random.next(Reply.class);
        long seq = (1L << 53) + 1; // a double would round it
        TurnEvent event = Stream.generate(() -> random.next(TurnEvent.class))
                .filter(candidate -> candidate.meta().seq() == seq)
                .findFirst()
                .orElseThrow();

        // When
        JsonNode object = toJson(Reply.class, reply, true);
        JsonNode meta = toJson(TurnEvent.class, event, true).path("meta");

        // Then
        assertEquals(reply.at().toString(), object.path("at").asText());
        assertEquals(reply.replyId().toString(), object.path("replyId").asText());
        assertEquals(reply.text(), object.path("text").asText());
        assertEquals("9007199254740993", meta.path("seq").toString());
    }

    @Test
    void recordInAUnionNamesItsType() throws IOException {
        // Given
        var random = new RandomRecords(8);
        MessageAppended event;
        do {
            event = (MessageAppended) Stream.generate(() -> random.next(TurnEvent.class))
                    .filter(MessageAppended.class::isInstance)
                    .findFirst()
                    .orElseThrow();
        } while (event.message().blocks().isEmpty());

        // When
        JsonNode blocks = toJson(TurnEvent.class, event, true).path("message").path("blocks");

        // Then
        assertEquals(
                event.message().blocks().getFirst().getClass().getSimpleName(),
                blocks.path(0).path(RecordJson.TYPE).asText());
    }

    @Test
    void rejectsAnIdOfAnotherSchemaThanTheHeaderNames() {
        byte[] bytes = reply();
        var newer = dataschema("dev.parley.avro.Reply#0123456789abcdef");

        assertThrows(UnreadableRecordException.class, () -> json.schema("topic", newer, bytes));
    }

    @Test
    void ignoresAForeignDataschemaHeader() {
        var foreign = dataschema("https://example.org/schema.json");

        assertEquals("Reply", json.schema("topic", foreign, reply()).getName());
    }

    private static byte[] reply() {
        return RecordSerde.of(Reply.class).serializer().serialize("topic", new RandomRecords(9).next(Reply.class));
    }

    private static RecordHeaders dataschema(String reference) {
        var headers = new RecordHeaders();
        headers.add(RecordSerde.DATASCHEMA, reference.getBytes(StandardCharsets.UTF_8));
        return headers;
    }

    @Test
    void rejectsUnreadableBytes() {
        var none = new RecordHeaders();
        assertThrows(UnreadableRecordException.class, () -> json.schema("topic", none, new byte[] {0, 1, 2}));
        assertThrows(
                UnreadableRecordException.class, () -> json.schema("topic", none, new byte[] {0, 0x7f, 0, 0, 0, 1}));
        Schema schema = RecordSerde.schemas(Reply.class).getFirst().schema();
        assertThrows(
                UnreadableRecordException.class, () -> json.write("topic", schema, new byte[] {0, 0, 0, 0, 1, 2, 3}));
    }
}
