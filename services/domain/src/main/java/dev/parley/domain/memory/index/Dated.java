package dev.parley.domain.memory.index;

import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;

/** The id of a unit or a document with a time, ordered by it. */
public record Dated(Instant date, UUID id) implements Comparable<Dated> {
    private static final Comparator<Dated> ORDER =
            Comparator.comparing(Dated::date).thenComparing(Dated::id);

    @Override
    public int compareTo(Dated other) {
        return ORDER.compare(this, other);
    }
}
