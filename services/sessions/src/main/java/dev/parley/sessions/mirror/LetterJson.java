package dev.parley.sessions.mirror;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.RecordJson;
import dev.parley.platform.serde.UnreadableRecordException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as JSON: where its record stood, why it is one, and the record itself, or its bytes where nobody can read it
 * or its JSON is too large. So each has a place in the mirror, and none makes another dead letter.
 */
final class LetterJson {
    private static final JsonFactory JSON = new JsonFactory();

    /** Of a record as JSON: a fourth of what the mirror takes is left for what is said besides. */
    private static final int MOST = 3 * Topics.DEAD_LETTERS.maxBytes();

    private LetterJson() {}

    /** @throws IllegalStateException when the schema of its record cannot be found out now */
    static byte[] write(RecordJson json, ConsumerRecord<byte[], byte[]> letter) {
        String record = record(json, letter);
        var out = new ByteArrayOutputStream(2 * letter.value().length);
        try (JsonGenerator to = JSON.createGenerator(out)) {
            to.writeStartObject();
            to.writeStringField(RecordJson.TYPE, "DeadLetter");
            to.writeStringField("topic", RecordCodec.header(letter.headers(), DeadLetters.TOPIC));
            to.writeNumberField("partition", DeadLetters.number(letter, DeadLetters.PARTITION));
            to.writeNumberField("offset", DeadLetters.number(letter, DeadLetters.OFFSET));
            to.writeStringField("by", RecordCodec.header(letter.headers(), DeadLetters.BY));
            to.writeStringField("error", RecordCodec.header(letter.headers(), DeadLetters.ERROR));
            to.writeStringField("cause", RecordCodec.header(letter.headers(), DeadLetters.CAUSE));
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
            throw new UncheckedIOException(e); // memory does not fail
        }
        return out.toByteArray();
    }

    private static @Nullable String record(RecordJson json, ConsumerRecord<byte[], byte[]> letter) {
        try {
            byte[] record = json.write(
                    letter.topic(), json.schema(letter.topic(), letter.headers(), letter.value()), letter.value());
            return record.length > MOST ? null : new String(record, StandardCharsets.UTF_8);
        } catch (UnreadableRecordException e) {
            return null;
        }
    }
}
