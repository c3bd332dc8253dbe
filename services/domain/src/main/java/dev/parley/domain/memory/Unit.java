package dev.parley.domain.memory;

import dev.parley.domain.bank.Vector;
import dev.parley.language.time.TimeSpan;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A memory unit: one statement in a bank.
 *
 * @param docId the document it was extracted from, or null for a derived unit
 * @param version from 1
 * @param context of the statement, or null
 * @param confidence of an opinion, from 0 to 1; null for other types
 * @param occurred time of the event; null if unknown or not an event
 * @param mentionedAt time of the statement, or of the newest source
 * @param provenance its source in a document; null for a derived unit
 * @param proofCount number of supporting facts
 * @param sources ids of the units it is derived from
 * @param generation of the vector, or null if there is none yet
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
    /** Maximum characters of the text. */
    public static final int MAX_LENGTH = 4_000;

    /** @throws IllegalArgumentException for a text that is empty or too long, or a confidence out of bounds */
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
    public Unit withEmbedding(@Nullable String aGeneration, @Nullable Vector aVector) {
        return with().generation(aGeneration).vector(aVector).build();
    }

    /** The date used for ordering: that of the event, or otherwise that of the statement. */
    public Instant date() {
        return occurred == null ? mentionedAt : occurred.from();
    }
}
