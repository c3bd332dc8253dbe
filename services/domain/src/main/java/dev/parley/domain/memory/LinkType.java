package dev.parley.domain.memory;

import dev.parley.domain.Coded;

/** How one unit of memory is related to another. */
public enum LinkType implements Coded {
    /** Both were at about the same time: the nearer, the heavier. */
    TEMPORAL,
    /** Both mean about the same: the weight is the cosine of their vectors. */
    SEMANTIC,
    /** Both are about the same person or thing. Never stored: a view of the units of each entity. */
    ENTITY,
    /** The first brought the second about. */
    CAUSES,
    /** The first came about by the second: the same as {@link #CAUSES}, seen from the other end. */
    CAUSED_BY,
    /** The first makes the second possible. */
    ENABLES,
    /** The first keeps the second from happening. */
    PREVENTS;
}
