package dev.parley.language.time;

/**
 * A parsed time.
 *
 * @param to index of the token after it
 * @param form of the expression
 */
record ParsedTime(Time time, int to, Form form) {
    static ParsedTime ofSpan(Span span, int to) {
        return new ParsedTime(span, to, Form.OTHER);
    }

    /** The form of a time, which determines the ranges it can start. */
    enum Form {
        /** "3 to 5 May". */
        RANGE,
        /** With a day or a month. */
        DATE,
        YEAR,
        WEEKDAY,
        OTHER
    }
}
