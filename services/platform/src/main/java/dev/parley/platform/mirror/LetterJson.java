package dev.parley.platform.mirror;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.domain.json.JsonBounds;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.RecordJson;
import dev.parley.platform.serde.RecordSerde;
import dev.parley.platform.serde.UnreadableRecordException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as JSON: its origin, the error, and the record itself, or its bytes where it cannot be read or its JSON
 * is too large. A dead letter therefore always fits into the mirror and never causes another one.
 */
final class LetterJson {
    private static final JsonFactory JSON = JsonBounds.STORED.factory();

    /**
     * Maximum size of the record as JSON: a quarter of the record size of the mirror is reserved for the other fields.
     */
    private static final int MAX_RECORD_BYTES = 3 * Topics.DEAD_LETTERS.maxBytes();

    private LetterJson() {}

    /** @throws dev.parley.platform.serde.SchemaLookupException where the schema of its record cannot be looked up now */
    static byte[] write(RecordJson json, ConsumerRecord<byte[], byte[]> letter) {
        String record = record(json, letter);
        var out = new ByteArrayOutputStream(2 * letter.value().length);
        try (JsonGenerator to = JSON.createGenerator(out)) {
            to.writeStartObject();
            to.writeStringField(RecordJson.TYPE, "DeadLetter");
            writeHeaders(to, letter);
            to.writeFieldName("record");
            to.writeRawValue(Objects.requireNonNullElse(record, "null"));
            to.writeFieldName("bytes");
            if (record == null) {
                to.writeBinary(letter.value());
            } else {
                to.writeNull();
            }
            to.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // does not happen in memory
        }
        return out.toByteArray();
    }

    private static void writeHeaders(JsonGenerator to, ConsumerRecord<byte[], byte[]> letter) throws IOException {
        to.writeStringField("topic", RecordSerde.header(letter.headers(), DeadLetters.TOPIC));
        to.writeNumberField("partition", DeadLetters.number(letter, DeadLetters.PARTITION));
        to.writeNumberField("offset", DeadLetters.number(letter, DeadLetters.OFFSET));
        to.writeStringField("by", RecordSerde.header(letter.headers(), DeadLetters.BY));
        to.writeStringField("error", RecordSerde.header(letter.headers(), DeadLetters.ERROR));
        to.writeStringField("cause", RecordSerde.header(letter.headers(), DeadLetters.CAUSE));
    }

    private static @Nullable String record(RecordJson json, ConsumerRecord<byte[], byte[]> letter) {
        try {
            byte[] record = json.write(
                    letter.topic(), json.schema(letter.topic(), letter.headers(), letter.value()), letter.value());
            return record.length > MAX_RECORD_BYTES ? null : new String(record, StandardCharsets.UTF_8);
        } catch (UnreadableRecordException e) {
            return null;
        }
    }
}
