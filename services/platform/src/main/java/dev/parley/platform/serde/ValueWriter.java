package dev.parley.platform.serde;

import java.io.IOException;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/** Writes values of one Java type as one Avro type. */
@FunctionalInterface
interface ValueWriter {
    void write(@Nullable Object value, Encoder out) throws IOException;
}
