package dev.parley.platform.serde;

import java.io.IOException;
import org.apache.avro.io.Encoder;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/** Writes values of a Java type as an Avro type. */
@FunctionalInterface
interface ValueWriter {
    void write(Object value, Encoder out) throws IOException;

    /** Writes null, which only a union with null can represent. */
    default void writeNull(Encoder out) throws IOException {
        throw new SerializationException("null where the schema requires a value");
    }

    /** Writes a value or null. */
    default void writeNullable(@Nullable Object value, Encoder out) throws IOException {
        if (value == null) {
            writeNull(out);
        } else {
            write(value, out);
        }
    }
}
