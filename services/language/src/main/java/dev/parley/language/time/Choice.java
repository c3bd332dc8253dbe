package dev.parley.language.time;

/** Choice among occurrences, in the order of the values in the word tables. */
enum Choice {
    LAST,
    THIS,
    NEXT,
    /** The first one that starts after the reference, whereas "next" is in the next week. */
    COMING,
    /** Like LAST, but counted from the reference: "the past week". */
    PAST
}
