package dev.parley.language.time;

/** The role of a word in a time expression. Words can have several; some have a value. */
enum WordRole {
    /** 1 to 12. */
    MONTH,
    /** 1 for Monday. */
    WEEKDAY,
    /** Plural of a weekday, only in "two Mondays ago". */
    WEEKDAYS,
    /** 0 for spring. */
    SEASON,
    /** 1 to 4. */
    QUARTER,
    /** A part of the day: 0 for the morning, 3 for the night. */
    PART,
    /** Days from today. */
    OFFSET,
    /** A part of a day near today: (days from today + 2) * 10 + part. */
    NEAR_PART,
    /** "The week before last": unit * 10 + offset + 5. */
    SHIFT,
    /** A unit of time: index of the {@link CalendarUnit}. */
    UNIT,
    /** Plural of a unit. */
    PLURAL,
    /** A count. */
    NUMBER,
    /** A vague count: 0 for a couple, 1 for a few, 2 for several. */
    VAGUE,
    /** Index of the {@link Choice}, before the noun. */
    CHOICE,
    /** Index of the {@link Choice}, after the noun. */
    CHOICE_AFTER,
    /** Before a count into the past: "vor". */
    AGO_BEFORE,
    /** After a count into the past: "ago". */
    AGO,
    /** Before a count into the future: "in". */
    AHEAD_BEFORE,
    /** After a count into the future: "from now". */
    AHEAD,
    /** Before a time: 1 like "on", 2 like "in", which also precedes months and years. */
    PREPOSITION,
    ARTICLE,
    OF,
    SINCE,
    AFTER,
    BEFORE,
    UNTIL,
    /** Like "until", in the future. */
    BY,
    FROM,
    TO,
    BETWEEN,
    AND,
    /** 0 for early, 1 for the middle, 2 for late. */
    THIRD,
    /** 0 for earlier, 1 for later. */
    SIDE,
    /** An ordinal; 9 for the last one. */
    ORDINAL,
    HALF,
    /** (Month * 100 + day) * 10 + duration in days. */
    HOLIDAY,
    /** First year of a decade. */
    DECADE,
    /** "Les années" 90. */
    DECADES,
    /** Makes the following time recurring, or not a time. */
    EVERY,
    /** Before a weekday, makes it indefinite: "on a Monday". */
    HABIT,
    /** "About" three weeks. */
    ABOUT,
    /** Also a name or a verb: not a month on its own. */
    WEAK,
    /** An abbreviation: a month only next to a day or a year. */
    SHORT,
    /** A noun that a preceding number counts, so that the number is not a day or year. */
    COUNTED,
    /** Starts a clause: "the last year you worked there". */
    SUBJECT,
    /** Indicates the future; 1 if it is certain. */
    FUTURE,
    /** Indicates the past. */
    PAST,
    /** Indicates the present or the near future. */
    PRESENT,
    /** A frequent word of the language. */
    COMMON
}
