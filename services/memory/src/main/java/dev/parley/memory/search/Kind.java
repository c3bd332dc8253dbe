package dev.parley.memory.search;

import dev.parley.domain.Coded;

/** What can be found. */
public enum Kind implements Coded {
    /** A piece of what was said, as it was said. */
    TURN,
    /** A fact, an opinion, an observation or a mental model. */
    UNIT,
    /** An answer that was thought through, kept with what it rests on. */
    REFLECTION;
}
