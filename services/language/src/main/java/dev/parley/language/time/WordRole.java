package dev.parley.language.time;

/** The role of a word in a time expression. Words can have several; some have a value. */
enum WordRole {
    /** 1 to 12. */
    MONTH,
    /** 1 is Monday. */
    WEEKDAY,
    /** Several of them, only in "two Mondays ago". */
    WEEKDAYS,
    /** 0 is spring. */
    SEASON,
    /** 1 to 4. */
    QUARTER,
    /** A part of the day: 0 is the morning, 3 the night. */
    PART,
    /** Days from today. */
    OFFSET,
    /** A part of a day near today: (days from today + 2) * 10 + part. */
    NEAR_PART,
    /** "The week before last": the unit * 10 + how many away + 5. */
    SHIFT,
    /** What time is counted in: place of the {@link Unit}. */
    UNIT,
    /** Several of a unit. */
    PLURAL,
    /** How many. */
    NUMBER,
    /** About how many: 0 a couple, 1 a few, 2 several. */
    VAGUE,
    /** Place of the {@link Calendar.Choice}, before what it chooses. */
    CHOICE,
    /** The same, behind it. */
    CHOICE_AFTER,
    /** Before what was counted back: "vor". */
    AGO_BEFORE,
    /** Behind it: "ago". */
    AGO,
    /** Before what is counted ahead: "in". */
    AHEAD_BEFORE,
    /** Behind it: "from now". */
    AHEAD,
    /** Before a time: 1 as "on", 2 as "in", which also bears months and years. */
    PREPOSITION,
    ARTICLE,
    OF,
    SINCE,
    AFTER,
    BEFORE,
    UNTIL,
    /** As until, and looks ahead. */
    BY,
    FROM,
    TO,
    BETWEEN,
    AND,
    /** 0 early, 1 in the middle, 2 late. */
    THIRD,
    /** 0 earlier, 1 later. */
    SIDE,
    /** Place in an order; 9 is the last one. */
    ORDINAL,
    HALF,
    /** (Month * 100 + day) * 10 + days that it lasts. */
    HOLIDAY,
    /** First year of ten. */
    DECADE,
    /** "Les années" 90. */
    DECADES,
    /** Makes what follows come again and again, or something else than a time. */
    EVERY,
    /** Before a day of the week it makes it any of them: "on a Monday". */
    HABIT,
    /** "About" three weeks. */
    ABOUT,
    /** Also is a name or a verb: alone it is no month. */
    WEAK,
    /** Is shortened: a month only beside a day or a year. */
    SHORT,
    /** A number before it counts it and is no day or year. */
    COUNTED,
    /** Begins a clause: "the last year you worked there". */
    SUBJECT,
    /** The sentence looks ahead; 1 where it surely does. */
    FUTURE,
    /** The sentence looks back. */
    PAST,
    /** The sentence is about now, or soon. */
    PRESENT,
    /** A frequent word of the language. */
    COMMON
}
