package dev.parley.channels.contract;

import dev.parley.language.text.Clip;

/** Texts truncated with an ellipsis. */
public final class ClippedText {
    private ClippedText() {}

    /**
     * The first characters of a text, without splitting a surrogate pair.
     *
     * @param limit maximum length in UTF-16 units
     */
    public static String of(String text, int limit) {
        return text.length() <= limit ? text : Clip.start(text, limit) + "…";
    }

    /**
     * The text, or its first characters with the ellipsis.
     *
     * @param limit maximum length of the result in UTF-16 units
     */
    public static String within(String text, int limit) {
        return text.length() <= limit ? text : of(text, limit - 1);
    }
}
