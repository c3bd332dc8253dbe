package dev.parley.memory.search;

import java.util.Collections;
import java.util.Set;

/** How tags are matched. */
public enum TagMatch {
    /** At least one of the given tags. */
    ANY,
    /** All given tags, and possibly others. */
    ALL,
    /** Exactly the given tags. */
    EXACT;

    boolean accepts(Set<String> requested, Set<String> actual) {
        return switch (this) {
            case ANY -> requested.isEmpty() || !Collections.disjoint(requested, actual);
            case ALL -> actual.containsAll(requested);
            case EXACT -> actual.equals(requested);
        };
    }
}
