package dev.parley.language.time;

/**
 * An expression of time in a text.
 *
 * @param span what it stands for; its end is the last millisecond that belongs to it
 * @param from index of its first character: of "since" and "between", but behind a mere "in" or "on" and behind articles
 * @param to index behind its last character
 * @param open which end the words left open and the parser set
 */
public record Found(TimeSpan span, int from, int to, Open open) {
    /** An end of a span that the words do not name. */
    public enum Open {
        /** Both ends are named. */
        NEITHER,
        /** "until May", "before 2020": began no one knows when. */
        START,
        /** "since May", "after 2020": goes on. */
        END
    }
}
