package dev.parley.memory.search;

import java.util.Collections;
import java.util.Set;

/** Which tags something has to have to be found. */
public enum TagMatch {
    /** One of those asked for. */
    ANY,
    /** Each of those asked for, and perhaps others. */
    ALL,
    /** Those asked for and no others; none where none are asked for. */
    EXACT;

    boolean accepts(Set<String> asked, Set<String> there) {
        return switch (this) {
            case ANY -> asked.isEmpty() || !Collections.disjoint(asked, there);
            case ALL -> there.containsAll(asked);
            case EXACT -> there.equals(asked);
        };
    }
}
