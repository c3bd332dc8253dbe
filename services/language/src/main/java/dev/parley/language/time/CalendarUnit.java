package dev.parley.language.time;

/** A unit of time, or the size of a span, in the order of the values in the word tables. */
enum CalendarUnit {
    MINUTE,
    HOUR,
    DAY,
    WEEK,
    MONTH,
    QUARTER,
    YEAR,
    DECADE,
    WEEKEND,
    SEASON,
    /** Part of a day, or a span that is not a whole other unit. */
    PART
}
