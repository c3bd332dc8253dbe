package dev.parley.channels.contract;

/** Texts truncated with an ellipsis. */
public final class ClippedText {
    private ClippedText() {}

    /**
     * The first characters of a text, without splitting a surrogate pair.
     *
     * @param most maximum length in UTF-16 units
     */
    public static String of(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end) + "…";
    }

    /**
     * The text, or its first characters with the ellipsis.
     *
     * @param most maximum length of the result in UTF-16 units
     */
    public static String within(String text, int most) {
        return text.length() <= most ? text : of(text, most - 1);
    }
}
