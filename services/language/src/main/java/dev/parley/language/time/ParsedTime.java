package dev.parley.language.time;

/**
 * A parsed time.
 *
 * @param to index of the token after it
 * @param form how it is written
 */
record ParsedTime(Time time, int to, Form form) {
    static ParsedTime fixed(Span span, int to) {
        return new ParsedTime(span, to, Form.OTHER);
    }

    /** What a time is written as, as far as ranges are made of it. */
    enum Form {
        /** "3 to 5 May". */
        RANGE,
        /** Has a day or a month in it. */
        DATE,
        YEAR,
        WEEKDAY,
        OTHER
    }
}
