package dev.parley.domain.memory;

import dev.parley.domain.bank.Vector;
import dev.parley.language.time.TimeSpan;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An atom of memory: one thing that a bank knows.
 *
 * @param docId the document that it was found in, or null where it was made of other units
 * @param version counts its changes, from 1
 * @param context what it was said in, or null
 * @param confidence of an opinion, from 0 to 1; null for all others
 * @param occurred when it happened; null where that is unknown, or it is no event
 * @param mentionedAt when it was said, or newest of what it is made of
 * @param provenance what it was found in; null where it was made of other units
 * @param proofCount how many facts say it
 * @param sources ids of the units that it is made of
 * @param generation what made the vector, or null where there is none yet
 */
@RecordBuilder
public record Unit(
        UUID id,
        @Nullable UUID docId,
        int version,
        FactType type,
        String text,
        @Nullable String context,
        @Nullable Double confidence,
        @Nullable TimeSpan occurred,
        Instant mentionedAt,
        List<String> tags,
        @Nullable Provenance provenance,
        int proofCount,
        List<UUID> sources,
        @Nullable String generation,
        @Nullable Vector vector)
        implements UnitBuilder.With {
    /** Characters of the longest text. */
    public static final int MAX_LENGTH = 4_000;

    /** @throws IllegalArgumentException for an empty or too long text, and a confidence out of bounds */
    public Unit {
        if (text.isBlank() || text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "the text of a unit has 1 to %,d characters, not %,d".formatted(MAX_LENGTH, text.length()));
        }
        if (confidence != null && !(confidence >= 0 && confidence <= 1)) {
            throw new IllegalArgumentException("a confidence is from 0 to 1, not " + confidence);
        }
        tags = List.copyOf(tags);
        sources = List.copyOf(sources);
    }

    /** With another vector, or none. */
    Unit meaning(@Nullable String aGeneration, @Nullable Vector aVector) {
        return with().generation(aGeneration).vector(aVector).build();
    }

    /** The date by which units are put in order: when it happened, or else was said. */
    public Instant date() {
        return occurred == null ? mentionedAt : occurred.from();
    }
}
