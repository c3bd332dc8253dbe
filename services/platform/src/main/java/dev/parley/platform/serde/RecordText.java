package dev.parley.platform.serde;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.DecoderFactory;
import org.jspecify.annotations.Nullable;

/** Records of any topic as readable JSON. */
public final class RecordText {
    private RecordText() {}

    /**
     * The value of a record as JSON, as its schema names and types it: moments and durations are numbers.
     *
     * @param ids who knows the schemas
     * @return empty where these bytes are no record of a schema that is known
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
        } catch (IOException | RuntimeException e) { // Avro throws whatever comes of bytes that are none
            return Optional.empty();
        }
    }
}
