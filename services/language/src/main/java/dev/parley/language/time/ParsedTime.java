package dev.parley.language.time;

/**
 * A time that was read.
 *
 * @param to place of the token behind it
 * @param form what it is written as
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
