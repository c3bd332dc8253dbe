package dev.parley.domain.memory;

import dev.parley.domain.Coded;

/** The type of a link between units. */
public enum LinkType implements Coded {
    /** Close in time; the weight decreases with distance. */
    TEMPORAL,
    /** Similar meaning; the weight is the cosine of their vectors. */
    SEMANTIC,
    /** A shared entity. Never stored: derived from the mentions of each entity. */
    ENTITY,
    /** The first causes the second. */
    CAUSES,
    /** The first is caused by the second: the inverse of {@link #CAUSES}. */
    CAUSED_BY,
    /** The first enables the second. */
    ENABLES,
    /** The first prevents the second. */
    PREVENTS;
}
