package dev.parley.tools;

import java.nio.charset.StandardCharsets;

/** Bounds the text of tool results for models. */
final class Outputs {
    /** Maximum bytes of a result in a record. */
    static final int MAX_BYTES = 64 << 10;

    private static final int NOTE = 80;

    private Outputs() {}

    /** The text, with its middle cut out if it has more than {@link #MAX_BYTES} bytes in UTF-8. */
    static String truncateMiddle(String text) {
        return truncateMiddle(text, MAX_BYTES);
    }

    /** The text, with its middle cut out if it has more than {@code max} bytes in UTF-8. */
    static String truncateMiddle(String text, int max) {
        if (text.length() <= max / 3 || text.getBytes(StandardCharsets.UTF_8).length <= max) {
            return text;
        }
        int half = (max - NOTE) / 2;
        int head = fitting(text, half, 0, 1);
        int tail = fitting(text, half, text.length() - 1, -1);
        int remaining = text.codePointCount(head, tail + 1);
        return text.substring(0, head) + "\n[… " + remaining + " characters left out …]\n" + text.substring(tail + 1);
    }

    /**
     * The first index from {@code start} in this direction that does not fit into the bytes; never inside a surrogate
     * pair.
     */
    private static int fitting(String text, int bytes, int start, int direction) {
        int index = start;
        int used = 0;
        while (index >= 0 && index < text.length()) {
            int point = direction > 0 ? text.codePointAt(index) : text.codePointBefore(index + 1);
            used += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            if (used > bytes) {
                break;
            }
            index += direction * Character.charCount(point);
        }
        return index;
    }

    /** Whether this is binary data decoded as text: it contains a NUL. */
    static boolean isBinary(String text) {
        return text.indexOf('\0') >= 0;
    }
}
