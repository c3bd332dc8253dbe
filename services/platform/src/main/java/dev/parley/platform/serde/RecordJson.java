package dev.parley.platform.serde;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.platform.serde.UnreadableRecordException.Reason;
import dev.parley.schemas.BundledSchema;
import dev.parley.schemas.SchemaCatalog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Records of any topic as JSON for programs: the fields of their schema by name, moments in ISO 8601 with microseconds,
 * bytes in base64, numbers that JSON cannot say as null. An object says its record's name in {@code @type} where the schema
 * alone does not: at the top, and where one of several records may stand. For one thread.
 */
public final class RecordJson {
    /** The field with a record's name. No record has a field of this name. */
    public static final String TYPE = "@type";

    private static final JsonFactory JSON = new JsonFactory();
    private static final int MAX_READERS = 10_000;

    private final SchemaIds ids;
    private final SchemaCatalog catalog = SchemaCatalog.bundled();
    private final Map<Schema, GenericDatumReader<IndexedRecord>> readers = new HashMap<>();

    /** @param ids who knows the schemas of records whose headers name none that this build has */
    public RecordJson(SchemaIds ids) {
        this.ids = ids;
    }

    /**
     * The schema that a value was written with.
     *
     * @throws UnreadableRecordException when nobody knows it
     * @throws IllegalStateException when it cannot be found out now
     */
    public Schema schema(String topic, Headers headers, byte[] value) {
        if (value.length < RecordSerde.PREFIX || value[0] != RecordSerde.MAGIC) {
            throw new UnreadableRecordException(
                    Reason.UNKNOWN_MAGIC_BYTE, topic, "it does not begin with byte 0 and the id of a schema", null);
        }
        Header header = headers.lastHeader(RecordSerde.DATASCHEMA);
        String reference = header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
        int id = ByteBuffer.wrap(value, 1, Integer.BYTES).getInt();
        return catalog.byReference(reference)
                .map(BundledSchema::schema)
                .or(() -> ids.schemaOf(id))
                .orElseThrow(() -> new UnreadableRecordException(
                        Reason.UNKNOWN_SCHEMA,
                        topic,
                        "neither '" + reference + "' nor the id " + id + " names a schema known here",
                        null));
    }

    /**
     * A value as JSON, in UTF-8.
     *
     * @throws UnreadableRecordException when these bytes are none of this schema
     */
    public byte[] write(String topic, Schema schema, byte[] value) {
        IndexedRecord record = read(topic, schema, value);
        var out = new ByteArrayOutputStream(2 * value.length);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            write(json, record, true);
        } catch (IOException e) {
            throw new UnreadableRecordException(Reason.INVALID_VALUE, topic, String.valueOf(e.getMessage()), e);
        }
        return out.toByteArray();
    }

    private IndexedRecord read(String topic, Schema schema, byte[] value) {
        if (readers.size() >= MAX_READERS) {
            readers.clear();
        }
        try {
            var in = DecoderFactory.get()
                    .binaryDecoder(value, RecordSerde.PREFIX, value.length - RecordSerde.PREFIX, null);
            IndexedRecord record =
                    readers.computeIfAbsent(schema, GenericDatumReader::new).read(null, in);
            if (!in.isEnd()) {
                throw new UnreadableRecordException(Reason.WRONG_LENGTH, topic, "it has bytes after its end", null);
            }
            return record;
        } catch (UnreadableRecordException e) {
            throw e;
        } catch (IOException | RuntimeException e) { // Avro throws whatever comes of bytes that are none
            throw new UnreadableRecordException(Reason.INVALID_VALUE, topic, String.valueOf(e.getMessage()), e);
        }
    }

    private static void write(JsonGenerator json, IndexedRecord record, boolean typed) throws IOException {
        json.writeStartObject();
        if (typed) {
            json.writeStringField(TYPE, record.getSchema().getName());
        }
        for (Schema.Field field : record.getSchema().getFields()) {
            json.writeFieldName(field.name());
            write(json, field.schema(), record.get(field.pos()), false);
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Schema schema, Object value, boolean typed) throws IOException {
        switch (schema.getType()) {
            case NULL -> json.writeNull();
            case RECORD -> write(json, (IndexedRecord) value, typed);
            case UNION -> {
                Schema branch = schema.getTypes().get(GenericData.get().resolveUnion(schema, value));
                write(json, branch, value, isOfSeveralRecords(schema));
            }
            case ARRAY -> {
                json.writeStartArray();
                for (Object item : (Collection<?>) value) {
                    write(json, schema.getElementType(), item, false);
                }
                json.writeEndArray();
            }
            case MAP -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                    json.writeFieldName(entry.getKey().toString());
                    write(json, schema.getValueType(), entry.getValue(), false);
                }
                json.writeEndObject();
            }
            case ENUM, STRING -> json.writeString(value.toString());
            case BYTES -> json.writeBinary(bytes((ByteBuffer) value));
            case FIXED -> json.writeBinary(((GenericFixed) value).bytes());
            case INT -> json.writeNumber((Integer) value);
            case LONG -> number(json, schema, (Long) value);
            case FLOAT -> {
                if (Float.isFinite((Float) value)) {
                    json.writeNumber((Float) value);
                } else {
                    json.writeNull();
                }
            }
            case DOUBLE -> {
                if (Double.isFinite((Double) value)) {
                    json.writeNumber((Double) value);
                } else {
                    json.writeNull();
                }
            }
            case BOOLEAN -> json.writeBoolean((Boolean) value);
        }
    }

    private static void number(JsonGenerator json, Schema schema, long value) throws IOException {
        if (schema.getLogicalType() instanceof LogicalTypes.TimestampMicros) {
            json.writeString(Instant.EPOCH.plus(value, ChronoUnit.MICROS).toString());
        } else {
            json.writeNumber(value);
        }
    }

    private static boolean isOfSeveralRecords(Schema union) {
        return union.getTypes().stream()
                        .filter(branch -> branch.getType() == Schema.Type.RECORD)
                        .count()
                > 1;
    }

    private static byte[] bytes(ByteBuffer buffer) {
        var bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
