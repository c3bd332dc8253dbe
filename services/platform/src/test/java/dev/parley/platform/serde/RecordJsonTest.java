package dev.parley.platform.serde;

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
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Records of every topic as JSON for programs. */
@Tag("O31")
class RecordJsonTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int RECORDS = 60;

    private final RecordJson json = new RecordJson(SchemaIds.bundled());

    static Stream<Class<?>> types() {
        return Topics.all().stream().<Class<?>>map(Topic::type).filter(type -> !type.isArray());
    }

    private <T> JsonNode written(Class<T> type, T value, boolean withHeaders) throws IOException {
        var headers = new RecordHeaders();
        byte[] bytes = RecordSerde.of(type).serializer().serialize("topic", headers, value);
        Schema schema = json.schema("topic", withHeaders ? headers : new RecordHeaders(), bytes);
        return JSON.readTree(json.write("topic", schema, bytes));
    }

    @ParameterizedTest
    @MethodSource("types")
    void everyRecordOfEachTopicSaysItsNameAndFields(Class<?> type) throws IOException {
        check(type);
    }

    private <T> void check(Class<T> type) throws IOException {
        var random = new RandomRecords(type.getName().hashCode());
        for (int i = 0; i < RECORDS; i++) {
            T value = random.next(type);
            JsonNode object = written(type, value, i % 2 == 0);
            Schema schema = RecordSerde.schemas(value.getClass()).getFirst().schema();
            assertEquals(schema.getName(), object.path(RecordJson.TYPE).asText());
            hold(schema, object);
        }
    }

    /** Holds what is written against its schema: each field is there, an object of several possible ones says which it is. */
    private static void hold(Schema schema, JsonNode json) {
        switch (schema.getType()) {
            case RECORD -> {
                assertTrue(json.isObject(), schema.getName() + ": " + json);
                schema.getFields().forEach(field -> {
                    assertTrue(json.has(field.name()), field.name() + " in " + json);
                    hold(field.schema(), json.get(field.name()));
                });
            }
            case ARRAY -> json.forEach(item -> hold(schema.getElementType(), item));
            case MAP -> json.forEach(item -> hold(schema.getValueType(), item));
            case UNION -> {
                List<Schema> records = schema.getTypes().stream()
                        .filter(branch -> branch.getType() == Schema.Type.RECORD)
                        .toList();
                if (json.isObject() && records.size() > 1) {
                    String name = json.path(RecordJson.TYPE).asText();
                    hold(
                            records.stream()
                                    .filter(one -> one.getName().equals(name))
                                    .findFirst()
                                    .orElseThrow(),
                            json);
                }
            }
            case LONG, INT -> assertTrue(json.isIntegralNumber() || json.isTextual(), schema + ": " + json);
            default -> assertTrue(!json.isMissingNode());
        }
    }

    @Test
    void momentsAreWordsAndLargeNumbersWhole() throws IOException {
        // Given
        var random = new RandomRecords(7);
        Reply reply = random.next(Reply.class);

        // When
        JsonNode object = written(Reply.class, reply, true);

        // Then
        assertEquals(reply.at().toString(), object.path("at").asText());
        assertEquals(reply.replyId().toString(), object.path("replyId").asText());
        assertEquals(reply.text(), object.path("text").asText());
    }

    @Test
    void oneOfSeveralRecordsSaysWhichItIs() throws IOException {
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
        JsonNode blocks = written(TurnEvent.class, event, true).path("message").path("blocks");

        // Then
        assertEquals(
                event.message().blocks().getFirst().getClass().getSimpleName(),
                blocks.path(0).path(RecordJson.TYPE).asText());
    }

    @Test
    void whatNobodyCanReadIsRefused() {
        var none = new RecordHeaders();
        assertThrows(UnreadableRecordException.class, () -> json.schema("topic", none, new byte[] {0, 1, 2}));
        assertThrows(
                UnreadableRecordException.class, () -> json.schema("topic", none, new byte[] {0, 0x7f, 0, 0, 0, 1}));
        Schema schema = RecordSerde.schemas(Reply.class).getFirst().schema();
        assertThrows(
                UnreadableRecordException.class, () -> json.write("topic", schema, new byte[] {0, 0, 0, 0, 1, 2, 3}));
    }
}
