package dev.parley.domain.memory;

import dev.parley.domain.RecordKey;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The source of a unit.
 *
 * @param session source session, or null
 * @param turnId of the turn, or null
 * @param chunk SHA-256 of the chunk's text
 * @param saying index of the document's part, from 0
 * @param from start index in that part
 * @param to end index in that part, exclusive
 * @param extractor {@code rules/{version}} or {@code model/{version}}
 * @param prompt SHA-256 of the prompt, or null if no model was called
 * @param model {@code provider/model}, or null if no model was called
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
