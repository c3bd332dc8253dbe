package dev.parley.workflows.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Strict UTF-8 decoding of untrusted record data. */
public final class Utf8 {
    private Utf8() {}

    /** The decoded text; empty if there are no bytes or they are not valid UTF-8. */
    public static Optional<String> text(byte @Nullable [] bytes) {
        if (bytes == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
