package dev.parley.tools.files;

import dev.parley.domain.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The content of a file: bytes, and their text if they are valid UTF-8 without NUL. */
public final class FileData {
    private final byte[] bytes;
    private final @Nullable String text;
    private final String sha256;

    private FileData(byte[] bytes, @Nullable String text) {
        this.bytes = bytes;
        this.text = text;
        this.sha256 = Sha256.hex(bytes);
    }

    /** Content of these bytes, which must not be changed afterwards. */
    public static FileData of(byte[] bytes) {
        return new FileData(bytes, decodeText(bytes));
    }

    /**
     * Content of this text.
     *
     * @throws WorkspaceException when it contains a NUL or an unpaired surrogate
     */
    public static FileData of(String text) {
        if (text.indexOf('\0') >= 0 || !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new WorkspaceException(
                    WorkspaceException.Kind.BINARY, "the text contains a NUL or an unpaired surrogate");
        }
        return new FileData(text.getBytes(StandardCharsets.UTF_8), text);
    }

    private static @Nullable String decodeText(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.indexOf('\0') < 0 ? text : null;
        } catch (CharacterCodingException e) {
            return null; // binary
        }
    }

    /** The bytes, which must not be changed. */
    public byte[] bytes() {
        return bytes;
    }

    /** The number of bytes. */
    public int size() {
        return bytes.length;
    }

    /** The SHA-256 of the bytes, in lower-case hex. */
    public String sha256() {
        return sha256;
    }

    /** Whether the content is text. */
    public boolean isText() {
        return text != null;
    }

    /** The text, or null if the content is binary. */
    public @Nullable String text() {
        return text;
    }
}
