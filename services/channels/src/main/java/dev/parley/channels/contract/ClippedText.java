package dev.parley.channels.contract;

/** Texts that are cut where they are too long, with a sign that they were. */
public final class ClippedText {
    private ClippedText() {}

    /** The first characters of a text, and no half of one. @param most how many, in UTF-16 */
    public static String of(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end) + "…";
    }
}
