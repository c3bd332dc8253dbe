package dev.parley.agents.model.wire;

import java.util.regex.Pattern;

/**
 * A text that comes in pieces. A cut may go through a surrogate pair: its first half is held back until the second one is
 * there. A half that stays alone is no character and becomes U+FFFD.
 */
public final class Pieces {
    /** Between two texts of one answer that are not one text. */
    public static final String GAP = "\n\n";

    private static final Pattern HALF_PAIR = Pattern.compile("\\p{Cs}");

    private final StringBuilder text = new StringBuilder();
    private String half = "";

    /** Adds a piece, as {@link JsonText#string()} gives it, and returns what can be shown now, perhaps nothing. */
    public String add(String piece) {
        String all = half + piece;
        int end = all.length();
        half = end > 0 && Character.isHighSurrogate(all.charAt(end - 1)) ? all.substring(end - 1) : "";
        String whole = whole(all.substring(0, end - half.length()));
        text.append(whole);
        return whole;
    }

    /** Says that nothing more comes, and returns what was still held back. */
    public String end() {
        String rest = half.isEmpty() ? "" : "\uFFFD";
        half = "";
        text.append(rest);
        return rest;
    }

    public boolean isEmpty() {
        return text.isEmpty() && half.isEmpty();
    }

    /** A text that is there as a whole, with U+FFFD for each half of a pair. */
    public static String whole(String text) {
        return HALF_PAIR.matcher(text).replaceAll("\uFFFD");
    }

    /** All of it until now. */
    @Override
    public String toString() {
        return text.toString();
    }
}
