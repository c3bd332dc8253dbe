package dev.parley.domain.memory;

import dev.parley.domain.Coded;

/** How one unit of memory is related to another. */
public enum LinkType implements Coded {
    /** Both were at about the same time: the nearer, the heavier. */
    TEMPORAL,
    /** Similar meaning; the weight is the cosine of their vectors. */
    SEMANTIC,
    /** The same entity. Never stored: derived from the mentions of each entity. */
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
