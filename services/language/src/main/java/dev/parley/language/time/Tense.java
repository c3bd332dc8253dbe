package dev.parley.language.time;

/** The tense of a sentence. */
enum Tense {
    PAST,
    /** Unknown. */
    OPEN,
    FUTURE
}
