package dev.parley.memory.search;

import dev.parley.domain.Coded;

public enum ItemKind implements Coded {
    /** A verbatim passage of a message or document. */
    TURN,
    /** A fact, opinion, observation or mental model. */
    UNIT,
    /** The answer of a reflection, stored with its sources. */
    REFLECTION;
}
