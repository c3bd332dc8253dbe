package dev.parley.platform.serde;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.DecoderFactory;
import org.jspecify.annotations.Nullable;

/** Converts records of any topic to JSON for people. */
public final class RecordText {
    private RecordText() {}

    /**
     * Converts the value of a record to JSON with the field names of its schema; timestamps and durations are numbers.
     *
     * @param ids looks up schemas
     * @return empty if the bytes are invalid or their schema is unknown
     */
    public static Optional<String> json(SchemaIds ids, byte @Nullable [] value) {
        if (value == null || value.length < RecordSerde.PREFIX || value[0] != RecordSerde.MAGIC) {
            return Optional.empty();
        }
        try {
            Optional<Schema> schema =
                    ids.schemaOf(ByteBuffer.wrap(value, 1, Integer.BYTES).getInt());
            if (schema.isEmpty()) {
                return Optional.empty();
            }
            var in = DecoderFactory.get()
                    .binaryDecoder(value, RecordSerde.PREFIX, value.length - RecordSerde.PREFIX, null);
            Object read = new GenericDatumReader<>(schema.get()).read(null, in);
            return in.isEnd() ? Optional.of(GenericData.get().toString(read)) : Optional.empty();
        } catch (IOException | RuntimeException e) { // Avro throws any RuntimeException for invalid bytes
            return Optional.empty();
        }
    }
}
