package dev.parley.platform.serde;

import java.io.ByteArrayOutputStream;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/** Reusable encoder, decoder and buffer of a thread. */
final class ThreadBuffers {
    private static final int MAX_RETAINED = 1 << 20;

    private ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
    private @Nullable BinaryEncoder encoder;
    private @Nullable BinaryDecoder decoder;

    /** An encoder whose output begins with a byte and a number. */
    BinaryEncoder encoder(byte first, int number) {
        BinaryEncoder prepared = EncoderFactory.get().binaryEncoder(out, encoder);
        encoder = prepared;
        out.reset(); // after the encoder was reset, which flushes the rest of a failed write
        out.write(first);
        out.write(number >>> 24);
        out.write(number >>> 16);
        out.write(number >>> 8);
        out.write(number);
        return prepared;
    }

    byte[] encodedBytes() {
        byte[] bytes = out.toByteArray();
        if (bytes.length > MAX_RETAINED) {
            out = new ByteArrayOutputStream(1024);
        }
        return bytes;
    }

    /** A decoder of the bytes from {@code offset} on. */
    BinaryDecoder decoder(byte[] bytes, int offset) {
        BinaryDecoder prepared = DecoderFactory.get().binaryDecoder(bytes, offset, bytes.length - offset, decoder);
        decoder = prepared;
        return prepared;
    }
}
