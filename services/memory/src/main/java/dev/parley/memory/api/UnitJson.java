package dev.parley.memory.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.memory.JsonColumns;
import dev.parley.platform.database.Columns;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.serde.annotation.Serdeable;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.swagger.v3.oas.annotations.media.Schema;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A memory unit as the API returns it. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@RecordBuilder
@Schema(name = "MemoryUnit", description = "One thing that a bank knows.")
record UnitJson(
        UUID id,

        @Schema(description = "world, experience, opinion, observation or mental_model.")
        String type,

        String text,
        @Nullable String context,

        @Schema(description = "Of an opinion, from 0 to 1.") @Nullable
        Double confidence,

        @Schema(description = "When it happened, or else was said: what lists are ordered by.")
        Instant date,

        @Schema(description = "When it happened; null where that is not known.") @Nullable
        Instant occurredFrom,

        @Nullable Instant occurredTo,
        @Nullable Instant mentionedAt,
        List<String> tags,

        @Schema(description = "The document that it was found in; null where it is made of other units.") @Nullable
        UUID document,

        @Schema(description = "Where it was found, and by what; null where it is made of other units.") @Nullable
        ProvenanceJson provenance,

        @Schema(description = "How many facts say it.") int proofCount,

        @Schema(description = "Ids of the units that it is made of.")
        List<UUID> sources,

        @Schema(description = "Counts its changes, from 1.") int version,

        @Schema(description = "Why it was changed last; null where it never was.") @Nullable
        String reason,

        @Schema(description = "Since when and why it is held to be true no more; null where it is.") @Nullable
        RetiredJson retired,

        @Schema(description = "Number of the event by which it came to be as it is.")
        long seq,

        Instant updatedAt,

        @Schema(description = "What it has to do with others; null in lists.") @Nullable
        RelationsJson relations)
        implements UnitJsonBuilder.With {
    static final String COLUMNS =
            "u.unit_id, u.doc_id, u.content, u.context, u.event_date, u.occurred_start, u.occurred_end, u.mentioned_at, u.fact_type,"
                    + " u.metadata, u.proof_count, u.source_memory_ids, u.aggregate_version, u.active, u.update_ts";

    static UnitJson of(ResultSet row) throws SQLException {
        JsonNode metadata = JsonColumns.json(row, "metadata");
        return new UnitJson(
                Columns.uuid(row, "unit_id"),
                row.getString("fact_type"),
                row.getString("content"),
                row.getString("context"),
                metadata.has("confidence") ? metadata.get("confidence").doubleValue() : null,
                Columns.time(row, "event_date"),
                Columns.timeOrNull(row, "occurred_start"),
                Columns.timeOrNull(row, "occurred_end"),
                Columns.timeOrNull(row, "mentioned_at"),
                JsonColumns.texts(metadata, "tags"),
                Columns.uuidOrNull(row, "doc_id"),
                metadata.has("provenance") ? ProvenanceJson.of(metadata.get("provenance")) : null,
                row.getInt("proof_count"),
                Columns.uuids(row, "source_memory_ids"),
                metadata.path("version").asInt(1),
                JsonColumns.text(metadata, "reason"),
                row.getBoolean("active") ? null : RetiredJson.of(metadata.path("retired")),
                row.getLong("aggregate_version"),
                Columns.time(row, "update_ts"),
                null);
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "MemoryProvenance", description = "Where a unit was found or what made it, and by what.")
    record ProvenanceJson(
            @Schema(description = "The session, {project}/{key}, or null.") @Nullable
            String session,

            @Nullable UUID turn,

            @Schema(description = "SHA-256 of the chunk's text.") @Nullable
            String chunk,

            @Schema(description = "Which part of the document, from 0; null where it was made of other units.")
            @Nullable
            Integer saying,

            @Schema(description = "Index of its first character in that part, counted in UTF-16.") @Nullable
            Integer from,

            @Schema(description = "Index behind its last character.") @Nullable
            Integer to,

            @Schema(description = "What found or made it, such as rules-1.") @Nullable
            String extractor,

            @Schema(description = "SHA-256 of what the model was told; null where none was asked.") @Nullable
            String prompt,

            @Schema(description = "Which model, or null.") @Nullable
            String model) {
        static ProvenanceJson of(JsonNode json) {
            return new ProvenanceJson(
                    JsonColumns.text(json, "session"),
                    JsonColumns.id(json, "turn"),
                    JsonColumns.text(json, "chunk"),
                    JsonColumns.whole(json, "saying"),
                    JsonColumns.whole(json, "from"),
                    JsonColumns.whole(json, "to"),
                    JsonColumns.text(json, "extractor"),
                    JsonColumns.text(json, "prompt"),
                    JsonColumns.text(json, "model"));
        }
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "MemoryRetired", description = "Why a unit is held to be true no more.")
    record RetiredJson(
            @Nullable Instant at,
            @Nullable String reason,

            @Schema(description = "The unit that says it better, or null.") @Nullable
            UUID replacedBy) {
        static RetiredJson of(JsonNode json) {
            return new RetiredJson(
                    JsonColumns.time(json, "at"), JsonColumns.text(json, "reason"), JsonColumns.id(json, "replacedBy"));
        }
    }

    @Serdeable
    @Schema(name = "MemoryRelations", description = "What a unit has to do with others.")
    record RelationsJson(
            @Schema(description = "Whom and what it is about.")
            List<NamedJson> entities,

            @Schema(description = "The strongest links in both directions, 200 at most.")
            List<LinkJson> links,

            @Schema(description = "Ids of units that are made of it, 200 at most.")
            List<UUID> partOf,

            @Schema(description = "Ids of units that it replaces, 200 at most.")
            List<UUID> replaces) {}

    /** An entity by its name. */
    @Serdeable
    @Schema(name = "MemoryNamed", description = "A person or thing.")
    record NamedJson(UUID id, String name) {}

    @Serdeable
    @MappedEntity(value = "agent_memory_link_t", schema = "memory")
    @Schema(name = "MemoryLink", description = "A link to another unit.")
    record LinkJson(
            @Schema(description = "The other unit's id.") UUID unit,

            @Schema(description = "temporal, semantic, causes, caused_by, enables or prevents.")
            String type,

            @Schema(description = "true: from this unit to the other one.")
            boolean outgoing,

            @Schema(description = "From 0 to 1.") double weight) {}

    /** Why it is to be retired. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "RetireUnit", description = "Why a unit is to be held true no more.")
    record RetireJson(
            @Schema(description = "1 to 2,000 characters.") @Nullable
            String reason) {}
}
