package dev.parley.domain.memory;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How one unit of memory is related to another. */
public enum LinkType {
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

    /** Its name in tables and for clients, for example {@code caused_by}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The type of this name. */
    public static Optional<LinkType> of(String code) {
        return Arrays.stream(values()).filter(type -> type.code().equals(code)).findFirst();
    }
}
