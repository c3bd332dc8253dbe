package dev.parley.domain.memory;

import dev.parley.domain.RecordKey;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a unit was made of, and by what.
 *
 * @param session where it was said, or null
 * @param turnId in which turn, or null
 * @param chunk SHA-256 of the text of the chunk that it was found in
 * @param saying which part of the document, from 0
 * @param from index of its first character in that part
 * @param to index behind its last character in that part
 * @param extractor what found it: {@code rules/{version}} or {@code model/{version}}
 * @param prompt SHA-256 of what the model was told, or null where none was asked
 * @param model which one, {@code provider/model}, or null where none was asked
 */
@RecordBuilder
public record Provenance(
        @Nullable RecordKey session,
        @Nullable UUID turnId,
        String chunk,
        int saying,
        int from,
        int to,
        String extractor,
        @Nullable String prompt,
        @Nullable String model)
        implements ProvenanceBuilder.With {}
