package dev.parley.platform.outbound;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The text of a file with the form of its bytes, in which a changed text is written back. The byte order mark names the
 * charset; without one it is UTF-8, or windows-1252 where the bytes are no UTF-8 and have no control characters.
 *
 * @param text without the byte order mark and without NUL
 * @param marked whether the bytes begin with a byte order mark
 */
public record EncodedText(String text, Charset charset, boolean marked) {
    private static final Charset WINDOWS_1252 = Charset.forName("windows-1252");
    private static final String MARK = "\uFEFF";

    /** The text of these bytes; empty if they are not text, so that each text has exactly the bytes it was read from. */
    public static Optional<EncodedText> of(byte[] bytes) {
        Optional<Charset> marked = TextDecoder.marked(bytes);
        return marked.isPresent()
                ? decode(bytes, marked.get(), true)
                : decode(bytes, StandardCharsets.UTF_8, false)
                        .or(() -> hasControls(bytes) ? Optional.empty() : decode(bytes, WINDOWS_1252, false));
    }

    private static Optional<EncodedText> decode(byte[] bytes, Charset charset, boolean marked) {
        try {
            String text = charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            var decoded = new EncodedText(marked ? text.substring(1) : text, charset, marked);
            return Optional.of(decoded).filter(found -> text.indexOf('\0') < 0 && Arrays.equals(found.bytes(), bytes));
        } catch (CharacterCodingException e) {
            return Optional.empty(); // not text in this charset
        }
    }

    private static boolean hasControls(byte[] bytes) {
        for (byte b : bytes) {
            if (b >= 0 && b < ' ' && b != '\t' && b != '\n' && b != '\f' && b != '\r') {
                return true;
            }
        }
        return false;
    }

    /**
     * Another text in this form.
     *
     * @throws IllegalArgumentException where the charset lacks a character of it; the message says which
     */
    public EncodedText with(String changed) {
        var encoder = charset.newEncoder();
        if (!encoder.canEncode(changed)) {
            String lacking = changed.codePoints()
                    .mapToObj(Character::toString)
                    .filter(character -> !encoder.canEncode(character))
                    .findFirst()
                    .orElse("");
            throw new IllegalArgumentException("the file is in %s, which has no '%s' (U+%04X)"
                    .formatted(charset.name(), lacking, codePoint(lacking)));
        }
        return new EncodedText(changed, charset, marked);
    }

    private static int codePoint(String character) {
        return character.isEmpty() ? 0 : character.codePointAt(0);
    }

    /** The bytes of the text. */
    public byte[] bytes() {
        var out = new ByteArrayOutputStream();
        if (marked) {
            out.writeBytes(MARK.getBytes(charset));
        }
        out.writeBytes(text.getBytes(charset));
        return out.toByteArray();
    }
}
