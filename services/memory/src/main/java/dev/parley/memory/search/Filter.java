package dev.parley.memory.search;

import dev.parley.domain.memory.FactType;
import dev.parley.language.time.TimeSpan;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What may be found at all.
 *
 * @param kinds empty for all
 * @param types empty for all; others find nothing that has no type
 * @param during only what happened, or else was said, in this time; what has no known time is not found then; null for any
 * @param asOf only what was known at this moment of the system's time, as it was then; null for what is known now
 * @param validAt not what is known to have held at another time only; null for any
 * @param excludedSources turns and documents of which nothing is found
 */
public record Filter(
        Set<Kind> kinds,
        Set<FactType> types,
        Set<String> tags,
        TagMatch match,
        @Nullable TimeSpan during,
        @Nullable Instant asOf,
        @Nullable Instant validAt,
        Set<String> excludedSources) {
    /** All that is known now. */
    public static final Filter NONE =
            new Filter(Set.of(), Set.of(), Set.of(), TagMatch.ANY, null, null, null, Set.of());

    public Filter {
        kinds = Set.copyOf(kinds);
        types = Set.copyOf(types);
        tags = Set.copyOf(tags);
        excludedSources = Set.copyOf(excludedSources);
    }

    /** The same, at another moment of the system's time. */
    public Filter asOf(@Nullable Instant moment) {
        return new Filter(kinds, types, tags, match, during, moment, validAt, excludedSources);
    }

    /** Only those kinds. */
    public Filter kinds(Set<Kind> some) {
        return new Filter(some, types, tags, match, during, asOf, validAt, excludedSources);
    }

    /** Whether it leaves everything in that is known at its moment. */
    boolean isOpen() {
        return asOf(null).equals(NONE);
    }

    /** All but {@link #asOf}, of which the index keeps count. */
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
