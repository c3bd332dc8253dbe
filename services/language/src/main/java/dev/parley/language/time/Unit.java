package dev.parley.language.time;

/** What people count time in, and how large a span is. The order is that of the values in the tables of words. */
enum Unit {
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
    /** Some hours of a day, or anything that is no whole one of the others. */
    PART
}
