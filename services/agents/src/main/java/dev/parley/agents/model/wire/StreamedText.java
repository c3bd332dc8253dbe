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

    /** Adds a piece from {@link VerbatimJson#string()}, and returns the text that can be shown now, possibly empty. */
    public String add(String piece) {
        String combined = half + piece;
        int end = combined.length();
        half = end > 0 && Character.isHighSurrogate(combined.charAt(end - 1)) ? combined.substring(end - 1) : "";
        String complete = replaceUnpairedSurrogates(combined.substring(0, end - half.length()));
        text.append(complete);
        return complete;
    }

    /** Ends the text, and returns what was held back. */
    public String end() {
        String tail = half.isEmpty() ? "" : "\uFFFD";
        half = "";
        text.append(tail);
        return tail;
    }

    public boolean isEmpty() {
        return text.isEmpty() && half.isEmpty();
    }

    /** A complete text, with U+FFFD for each unpaired surrogate. */
    public static String replaceUnpairedSurrogates(String text) {
        return UNPAIRED_SURROGATE.matcher(text).replaceAll("\uFFFD");
    }

    /** The text so far. */
    @Override
    public String toString() {
        return text.toString();
    }
}
