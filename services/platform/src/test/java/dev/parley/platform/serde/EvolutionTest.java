package dev.parley.platform.serde;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.platform.serde.UnreadableRecordException.Reason;
import dev.parley.schemas.BundledSchema;
import dev.parley.schemas.SchemaCatalog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Schema evolution: a newer or older version writes with plain Avro, and the current code reads. */
class EvolutionTest {
    private static final int ID = 9_001;
    private static final String CALL = new UUID(7, 7).toString();
    private static final String ANSWERED = json("ModelAnswered");

    @Test
    @Tag("O6")
    void aFieldThatTheNextVersionAddsIsSkipped() {
        // Given
        Schema next = schema(
                ANSWERED.replace(
                        "\"fields\":[{\"name\":\"callId\"",
                        "\"fields\":[{\"name\":\"shard\",\"type\":{\"type\":\"array\",\"items\":\"string\"},\"default\":[]},{\"name\":\"callId\""));
        GenericRecord record = answered(next);
        record.put("shard", List.of("a", "b"));

        // When
        var read = (CallResult.ModelAnswered) read(record);

        // Then
        assertEquals(new UUID(7, 7), read.callId());
        assertEquals("scripted", read.provider());
    }

    @Test
    @Tag("O6")
    void aFieldThatTheNextVersionRemovesHasItsDefault() {
        // Given
        Schema next = schema(json("ModelFailed").replaceAll(",\\{\"name\":\"retryAfter\"[^}]*}", ""));
        var record = new GenericData.Record(next);
        record.put("callId", CALL);
        record.put("attempt", 1);
        record.put("category", symbol(next, "category", "SERVER"));
        record.put("detail", "");
        record.put("partial", List.of());

        // When
        var read = (CallResult.ModelFailed) read(record);

        // Then
        assertNull(read.retryAfter());
        assertEquals(1, read.attempt());
    }

    @Test
    @Tag("O6")
    void aSymbolThatTheNextVersionAddsIsTheDefault() {
        Schema next = schema(ANSWERED.replace("\"STOP\",", "\"STOP\",\"PAUSED\","));
        GenericRecord record = answered(next);
        record.put("finish", symbol(next, "finish", "PAUSED"));

        var read = (CallResult.ModelAnswered) read(record);

        assertEquals(FinishReason.UNKNOWN, read.finish());
    }

    @Test
    @Tag("O6")
    void aNumberThatWasNarrowerIsPromoted() {
        Schema older = schema(json("ModelAnswered")
                .replace("{\"name\":\"input\",\"type\":\"long\"", "{\"name\":\"input\",\"type\":\"int\""));
        GenericRecord record = answered(older);
        ((GenericRecord) record.get("usage")).put("input", 17);

        var read = (CallResult.ModelAnswered) read(record);

        assertEquals(17L, read.usage().input());
    }

    @Test
    @Tag("K18")
    void unknownBlockTypeFailsOnlyRecordsThatContainIt() {
        // Given
        String hologram = "{\"type\":\"record\",\"name\":\"Hologram\",\"fields\":[{\"name\":\"x\",\"type\":\"int\"}]}";
        Schema next = schema(ANSWERED.replaceFirst("(\"items\":\\[)", "$1" + hologram.replace("$", "\\$") + ","));
        GenericRecord answer = answered(next);
        Schema block =
                next.getField("blocks").schema().getElementType().getTypes().getFirst();
        var unknown = new GenericData.Record(block);
        unknown.put("x", 1);
        answer.put("blocks", List.of(unknown));

        // When
        var failure = assertThrows(UnreadableRecordException.class, () -> read(answer));

        // Then
        assertEquals(Reason.INVALID_VALUE, failure.reason());
        assertEquals(List.of(), ((CallResult.ModelAnswered) read(answered(next))).blocks());
    }

    @Test
    @Tag("O6")
    void anOlderVersionWithoutAFieldIsReadWithItsDefault() {
        Schema older = schema(ANSWERED.replaceAll(",\\{\"name\":\"raw\",\"type\":\\[\"null\",\"string\"][^}]*}", ""));

        var read = (CallResult.ModelAnswered) read(answered(older));

        assertNull(read.raw());
    }

    private static GenericRecord answered(Schema schema) {
        var usage = new GenericData.Record(schema.getField("usage").schema());
        for (String field : List.of("input", "output", "reasoning", "cacheRead", "cacheWrite")) {
            usage.put(field, 0L);
        }
        var record = new GenericData.Record(schema);
        record.put("callId", CALL);
        record.put("attempt", 1);
        record.put("blocks", List.of());
        record.put("finish", symbol(schema, "finish", "STOP"));
        record.put("usage", usage);
        record.put("provider", "scripted");
        record.put("model", "m");
        return record;
    }

    private static GenericData.EnumSymbol symbol(Schema schema, String field, String name) {
        return new GenericData.EnumSymbol(schema.getField(field).schema(), name);
    }

    private static String json(String name) {
        return SchemaCatalog.bundled()
                .current(name)
                .orElseThrow()
                .schema()
                .toString()
                .replaceAll(",\"doc\":\"(\\\\.|[^\"\\\\])*\"", "");
    }

    private static Schema schema(String json) {
        return new Schema.Parser().parse(json);
    }

    /** Reads what the writer wrote, knowing its schema from a registry. */
    private static CallResult read(GenericRecord record) {
        Schema writer = record.getSchema();
        var serde = RecordSerde.of(CallResult.class, new SchemaIds() {
            @Override
            public int idOf(BundledSchema schema) {
                return schema.id();
            }

            @Override
            public Optional<Schema> schemaOf(int id) {
                return id == ID ? Optional.of(writer) : Optional.empty();
            }
        });
        var headers = new RecordHeaders();
        String reference = BundledSchema.reference(writer);
        headers.add(RecordSerde.DATASCHEMA, reference.getBytes(StandardCharsets.UTF_8));
        return serde.deserializer().deserialize("results", headers, write(record));
    }

    private static byte[] write(GenericRecord record) {
        var out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {0, 0, 0, ID >> 8, (byte) ID});
        try {
            var encoder = EncoderFactory.get().binaryEncoder(out, null);
            new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
            encoder.flush();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }
}
