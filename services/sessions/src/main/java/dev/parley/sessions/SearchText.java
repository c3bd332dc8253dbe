package dev.parley.sessions;

import java.text.Normalizer;
import org.jspecify.annotations.Nullable;

/**
 * Normalised text for search: lower case, without accents. Each character of {@link #compose} maps to exactly one
 * character, so an index in the folded text is the same index in the original.
 */
public final class SearchText {
    /** Indexed characters of one part; a tsvector holds about a megabyte. */
    private static final int MAX = 200_000;

    private SearchText() {}

    /** The text in Unicode normal form C: each accented letter is one character. */
    public static String compose(String text) {
        return Normalizer.isNormalized(text, Normalizer.Form.NFC)
                ? text
                : Normalizer.normalize(text, Normalizer.Form.NFC);
    }

    /** The folded text, at most {@value #MAX} characters; empty for null. */
    public static String foldText(@Nullable String text) {
        if (text == null) {
            return "";
        }
        String composed = compose(text);
        char[] folded = new char[Math.min(composed.length(), MAX)];
        for (int i = 0; i < folded.length; i++) {
            folded[i] = fold(composed.charAt(i));
        }
        return new String(folded);
    }

    private static char fold(char c) {
        if (c < 0x80) {
            return Character.toLowerCase(c);
        }
        if (Character.isSurrogate(c)) {
            return c;
        }
        return Character.toLowerCase(
                Normalizer.normalize(Character.toString(c), Normalizer.Form.NFD).charAt(0));
    }
}
