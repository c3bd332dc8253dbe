package dev.parley.tools.files;

import dev.parley.domain.Sha256;
import dev.parley.platform.outbound.EncodedText;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The content of a file: bytes, and their text if they are text ({@link EncodedText} says what is). */
public final class FileData {
    private final byte[] bytes;
    private final @Nullable EncodedText text;
    private final String sha256;

    private FileData(byte[] bytes, @Nullable EncodedText text) {
        this.bytes = bytes;
        this.text = text;
        this.sha256 = Sha256.hex(bytes);
    }

    /** Content of these bytes, which must not be changed afterwards. */
    public static FileData of(byte[] bytes) {
        return new FileData(bytes, EncodedText.of(bytes).orElse(null));
    }

    /**
     * Content of this text, in UTF-8; a U+FEFF at its beginning is its byte order mark.
     *
     * @throws WorkspaceException when it contains a NUL or an unpaired surrogate
     */
    public static FileData of(String text) {
        requireText(text);
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void requireText(String text) {
        if (text.indexOf('\0') >= 0 || !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new WorkspaceException(
                    WorkspaceException.Kind.BINARY, "the text contains a NUL or an unpaired surrogate");
        }
    }

    /**
     * Content of another text in the charset of this one, with a byte order mark if this has one.
     *
     * @throws WorkspaceException when this is binary, or the text has characters that the charset lacks
     */
    FileData with(String changed) {
        requireText(changed);
        if (text == null) {
            throw new WorkspaceException(WorkspaceException.Kind.BINARY, "the file is not text");
        }
        try {
            return of(text.with(changed).bytes());
        } catch (IllegalArgumentException e) {
            throw new WorkspaceException(WorkspaceException.Kind.INVALID, String.valueOf(e.getMessage()), e);
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

    /** The text without its byte order mark, or null if the content is binary. */
    public @Nullable String text() {
        return text == null ? null : text.text();
    }

    /** The charset of the text, or null if the content is binary. */
    @Nullable
    Charset charset() {
        return text == null ? null : text.charset();
    }

    /** The text whose UTF-8 are the bytes, with its byte order mark; null if there is none. */
    @Nullable
    String utf8() {
        return text == null || !text.charset().equals(StandardCharsets.UTF_8)
                ? null
                : new String(bytes, StandardCharsets.UTF_8);
    }
}
