package dev.parley.platform.serde;

import java.io.IOException;
import org.apache.avro.io.Decoder;
import org.jspecify.annotations.Nullable;

/** Reads values that were written with one Avro schema as values of one Java type. */
@FunctionalInterface
interface ValueReader {
    @Nullable
    Object read(Decoder in) throws IOException;
}
