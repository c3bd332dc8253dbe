package dev.parley.platform.serde;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.domain.json.JsonBounds;
import dev.parley.platform.serde.UnreadableRecordException.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
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
import org.apache.kafka.common.header.Headers;

/**
 * Converts records of any topic to JSON for programs: fields by name, timestamps in ISO 8601 with microseconds, bytes
 * in base64, non-finite numbers as null. {@code @type} is the name of the record, at the top and in unions of several
 * records. Not thread-safe.
 */
public final class RecordJson {
    /** The field with the name of the record, which no record has itself. */
    public static final String TYPE = "@type";

    private static final JsonFactory JSON = JsonBounds.STORED.factory();
    private static final int MAX_READERS = 10_000;

    private final WriterSchemas schemas;
    private final Map<Schema, GenericDatumReader<IndexedRecord>> readers = new HashMap<>();

    /** @param ids looks up schemas that the headers do not name or this build does not have */
    public RecordJson(SchemaIds ids) {
        this.schemas = new WriterSchemas(ids);
    }

    /**
     * The schema that a value was written with.
     *
     * @throws UnreadableRecordException if it is unknown
     * @throws SchemaLookupException if it cannot be looked up now
     */
    public Schema schema(String topic, Headers headers, byte[] value) {
        if (value.length < RecordSerde.PREFIX || value[0] != RecordSerde.MAGIC) {
            throw new UnreadableRecordException(
                    Reason.UNKNOWN_MAGIC_BYTE, topic, "it does not begin with byte 0 and the id of a schema", null);
        }
        int id = ByteBuffer.wrap(value, 1, Integer.BYTES).getInt();
        return schemas.find(topic, WriterSchemas.reference(headers), id);
    }

    /**
     * Converts a value to JSON, in UTF-8.
     *
     * @throws UnreadableRecordException if the bytes do not match the schema
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
        } catch (IOException | RuntimeException e) { // Avro throws any RuntimeException for invalid bytes
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
            case ARRAY -> writeArray(json, schema.getElementType(), (Collection<?>) value);
            case MAP -> writeMap(json, schema.getValueType(), (Map<?, ?>) value);
            case ENUM, STRING -> json.writeString(value.toString());
            case BYTES -> json.writeBinary(bytes((ByteBuffer) value));
            case FIXED -> json.writeBinary(((GenericFixed) value).bytes());
            case INT -> json.writeNumber((Integer) value);
            case LONG -> writeLong(json, schema, (Long) value);
            case FLOAT, DOUBLE -> writeFinite(json, (Number) value);
            case BOOLEAN -> json.writeBoolean((Boolean) value);
        }
    }

    private static void writeArray(JsonGenerator json, Schema element, Collection<?> items) throws IOException {
        json.writeStartArray();
        for (Object item : items) {
            write(json, element, item, false);
        }
        json.writeEndArray();
    }

    private static void writeMap(JsonGenerator json, Schema element, Map<?, ?> entries) throws IOException {
        json.writeStartObject();
        for (Map.Entry<?, ?> entry : entries.entrySet()) {
            json.writeFieldName(entry.getKey().toString());
            write(json, element, entry.getValue(), false);
        }
        json.writeEndObject();
    }

    private static void writeFinite(JsonGenerator json, Number value) throws IOException {
        if (!Double.isFinite(value.doubleValue())) {
            json.writeNull();
        } else if (value instanceof Float number) {
            json.writeNumber(number);
        } else {
            json.writeNumber(value.doubleValue());
        }
    }

    private static void writeLong(JsonGenerator json, Schema schema, long value) throws IOException {
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
