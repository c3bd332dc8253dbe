package dev.parley.language.text;

/** Beginnings and ends of texts, of limited length in UTF-16 units; surrogate pairs are not split. */
public final class Clip {
    private Clip() {}

    /** The first characters of a text. */
    public static String start(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        return text.substring(0, max > 0 && Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max);
    }

    /** The last characters of a text. */
    public static String end(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int from = text.length() - max;
        return text.substring(max > 0 && Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from);
    }
}
