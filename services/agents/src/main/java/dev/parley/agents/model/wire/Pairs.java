package dev.parley.agents.model.wire;

import java.util.regex.Pattern;

/**
 * Makes whole characters of a text that comes in pieces: a piece may end in the middle of a surrogate pair. A half that
 * never meets its other half becomes U+FFFD.
 */
public final class Pairs {
    private static final Pattern HALF = Pattern.compile("\\p{Cs}");

    private String half = "";

    /** The next piece, with what was kept back of the one before and without what must wait for the one after. */
    public String next(String piece) {
        String text = half + piece;
        int end = text.length();
        if (end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        half = text.substring(end);
        return whole(text.substring(0, end));
    }

    /** What is left when nothing more comes. */
    public String rest() {
        String rest = whole(half);
        half = "";
        return rest;
    }

    /** The same for a text that is there as a whole. */
    public static String whole(String text) {
        return HALF.matcher(text).replaceAll("\uFFFD");
    }
}
