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

    boolean accepts(Set<String> asked, Set<String> there) {
        return switch (this) {
            case ANY -> asked.isEmpty() || !Collections.disjoint(asked, there);
            case ALL -> there.containsAll(asked);
            case EXACT -> there.equals(asked);
        };
    }
}
