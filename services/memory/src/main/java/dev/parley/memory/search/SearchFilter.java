package dev.parley.memory.search;

import dev.parley.domain.memory.FactType;
import dev.parley.language.time.TimeSpan;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A restriction of search results.
 *
 * @param kinds empty for all
 * @param types empty for all; otherwise only items with one of these types
 * @param during only items that happened, or else were said, in this time; excludes items without a time; null for any
 * @param asOf only items known at this system time, in their version of then; null for current knowledge
 * @param validAt excludes items known to be true only at another time; null for any
 * @param excludedSources turns and documents that are excluded
 */
public record SearchFilter(
        Set<ItemKind> kinds,
        Set<FactType> types,
        Set<String> tags,
        TagMatch match,
        @Nullable TimeSpan during,
        @Nullable Instant asOf,
        @Nullable Instant validAt,
        Set<String> excludedSources) {
    /** All current knowledge. */
    public static final SearchFilter NONE =
            new SearchFilter(Set.of(), Set.of(), Set.of(), TagMatch.ANY, null, null, null, Set.of());

    public SearchFilter {
        kinds = Set.copyOf(kinds);
        types = Set.copyOf(types);
        tags = Set.copyOf(tags);
        excludedSources = Set.copyOf(excludedSources);
    }

    /** This filter at another system time. */
    public SearchFilter asOf(@Nullable Instant moment) {
        return new SearchFilter(kinds, types, tags, match, during, moment, validAt, excludedSources);
    }

    /** This filter for these kinds only. */
    public SearchFilter kinds(Set<ItemKind> kinds) {
        return new SearchFilter(kinds, types, tags, match, during, asOf, validAt, excludedSources);
    }

    /** Whether the filter has no condition except {@link #asOf}. */
    boolean isOpen() {
        return asOf(null).equals(NONE);
    }

    /** Checks all conditions except {@link #asOf}, which the index tracks. */
    boolean accepts(Item item) {
        return (kinds.isEmpty() || kinds.contains(item.kind()))
                && (types.isEmpty() || item.type() != null && types.contains(item.type()))
                && match.accepts(tags, item.tags())
                && (item.source() == null || !excludedSources.contains(item.source()))
                && isDuring(item)
                && isValid(item);
    }

    private boolean isDuring(Item item) {
        TimeSpan window = during;
        if (window == null) {
            return true;
        }
        TimeSpan occurred = item.occurred();
        Instant mentioned = item.mentionedAt();
        return occurred != null
                ? occurred.overlaps(window)
                : mentioned != null && new TimeSpan(mentioned, mentioned).overlaps(window);
    }

    private boolean isValid(Item item) {
        Instant moment = validAt;
        TimeSpan occurred = item.occurred();
        return moment == null || occurred == null || occurred.overlaps(new TimeSpan(moment, moment));
    }
}
