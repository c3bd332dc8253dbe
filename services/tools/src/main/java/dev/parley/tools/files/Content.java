package dev.parley.tools.files;

import dev.parley.domain.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What is in a file: bytes, and the text that they are where they are one (valid UTF-8 without NUL). */
public final class Content {
    private final byte[] bytes;
    private final @Nullable String text;
    private final String sha256;

    private Content(byte[] bytes, @Nullable String text) {
        this.bytes = bytes;
        this.text = text;
        this.sha256 = Sha256.hex(bytes);
    }

    /** These bytes, which nobody changes any more. */
    public static Content of(byte[] bytes) {
        return new Content(bytes, decoded(bytes));
    }

    /**
     * This text.
     *
     * @throws WorkspaceException when it has a NUL or half of a surrogate pair, which no text file has
     */
    public static Content of(String text) {
        if (text.indexOf('\0') >= 0 || !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new WorkspaceException(
                    WorkspaceException.Kind.BINARY,
                    "the text has a NUL or half of a surrogate pair, which is no character");
        }
        return new Content(text.getBytes(StandardCharsets.UTF_8), text);
    }

    private static @Nullable String decoded(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.indexOf('\0') < 0 ? text : null;
        } catch (CharacterCodingException e) {
            return null; // bytes of another kind
        }
    }

    /** The bytes; not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    /** How many. */
    public int size() {
        return bytes.length;
    }

    /** Their SHA-256, in lower-case hex. */
    public String sha256() {
        return sha256;
    }

    /** Whether it is a text. */
    public boolean isText() {
        return text != null;
    }

    /** The text, or null where it is none. */
    public @Nullable String text() {
        return text;
    }
}
