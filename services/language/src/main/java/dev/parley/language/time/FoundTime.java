package dev.parley.language.time;

/**
 * A time expression in a text.
 *
 * @param span its meaning; the end is inclusive, in milliseconds
 * @param from index of its first character, including "since" and "between", but not "in", "on" and articles
 * @param to index after its last character
 * @param open the end that the expression leaves open and the parser sets
 */
public record FoundTime(TimeSpan span, int from, int to, Open open) {
    /** The end of a span that the expression leaves open. */
    public enum Open {
        /** None: both ends are named. */
        NEITHER,
        /** The start: "until May", "before 2020". */
        START,
        /** The end: "since May", "after 2020". */
        END
    }
}
