package dev.parley.agents.model.wire;

import java.util.regex.Pattern;

/**
 * A text assembled from stream deltas. A high surrogate at the end of a piece is held back until its low surrogate
 * arrives; an unpaired surrogate becomes U+FFFD.
 */
public final class StreamedText {
    /** The separator of two texts of one answer. */
    public static final String GAP = "\n\n";

    private static final Pattern UNPAIRED_SURROGATE = Pattern.compile("\\p{Cs}");

    private final StringBuilder text = new StringBuilder();
    private String half = "";

    /** Adds a piece from {@link JsonText#string()}, and returns the text that can be shown now, possibly empty. */
    public String add(String piece) {
        String all = half + piece;
        int end = all.length();
        half = end > 0 && Character.isHighSurrogate(all.charAt(end - 1)) ? all.substring(end - 1) : "";
        String whole = whole(all.substring(0, end - half.length()));
        text.append(whole);
        return whole;
    }

    /** Ends the text, and returns what was held back. */
    public String end() {
        String rest = half.isEmpty() ? "" : "\uFFFD";
        half = "";
        text.append(rest);
        return rest;
    }

    public boolean isEmpty() {
        return text.isEmpty() && half.isEmpty();
    }

    /** A complete text, with U+FFFD for each unpaired surrogate. */
    public static String whole(String text) {
        return UNPAIRED_SURROGATE.matcher(text).replaceAll("\uFFFD");
    }

    /** The text so far. */
    @Override
    public String toString() {
        return text.toString();
    }
}
