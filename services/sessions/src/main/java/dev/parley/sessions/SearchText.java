package dev.parley.sessions;

import java.text.Normalizer;
import org.jspecify.annotations.Nullable;

/**
 * Text as it is searched: lower case, without accents. Each character of {@link #composed} gives exactly one character,
 * so a place in the folded text is the same place in the text that people see.
 */
public final class SearchText {
    /** What is indexed of one part; Postgres takes about a megabyte. */
    private static final int MAX = 200_000;

    private SearchText() {}

    /** The text with each accented letter as one character. */
    public static String composed(String text) {
        return Normalizer.isNormalized(text, Normalizer.Form.NFC)
                ? text
                : Normalizer.normalize(text, Normalizer.Form.NFC);
    }

    /** The text to be indexed or looked for, at most {@value #MAX} characters of it. */
    public static String folded(@Nullable String text) {
        if (text == null) {
            return "";
        }
        String composed = composed(text);
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
