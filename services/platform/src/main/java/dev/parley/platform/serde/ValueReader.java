package dev.parley.platform.serde;

import java.io.IOException;
import org.apache.avro.io.Decoder;
import org.jspecify.annotations.Nullable;

/** Reads values of an Avro schema as a Java type. */
@FunctionalInterface
interface ValueReader {
    @Nullable
    Object read(Decoder in) throws IOException;
}
