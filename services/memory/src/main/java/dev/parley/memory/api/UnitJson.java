package dev.parley.memory.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
import io.micronaut.serde.annotation.Serdeable;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A memory unit as the API returns it. */
@Serdeable
@MappedEntity(value = "agent_memory_unit_t", schema = "memory")
@RecordBuilder
@Schema(name = "MemoryUnit", description = "A single piece of knowledge of a bank.")
record UnitJson(
        UUID id,

        @Schema(description = "Type of the unit: world, experience, opinion, observation or mental_model.")
        String type,

        String text,
        @Nullable String context,

        @Schema(description = "Confidence of an opinion, from 0 to 1; null for other types.") @Nullable
        Double confidence,

        @Schema(description = "When it happened or, if unknown, was said; lists are ordered by it.")
        @TypeDef(type = DataType.JSON)
        Instant date,

        @Schema(description = "Time at which it happened or began; null if unknown.")
        @Nullable
        @TypeDef(type = DataType.JSON)
        Instant occurredFrom,

        @Nullable @TypeDef(type = DataType.JSON) Instant occurredTo,
        @Nullable @TypeDef(type = DataType.JSON) Instant mentionedAt,
        @TypeDef(type = DataType.JSON) List<String> tags,

        @Schema(description = "Id of the document in which it was found; null if it is derived from other units.")
        @Nullable
        UUID document,

        @Schema(description = "Where the unit was found, or what derived it; null if that is not recorded.")
        @Nullable
        @TypeDef(type = DataType.JSON)
        ProvenanceJson provenance,

        @Schema(description = "Number of facts that state it.")
        int proofCount,

        @Schema(description = "Ids of the units from which it is derived.") @TypeDef(type = DataType.JSON)
        List<UUID> sources,

        @Schema(description = "Number of the version, from 1.")
        int version,

        @Schema(description = "Reason of the last change; null if it never changed.") @Nullable
        String reason,

        @Schema(description = "Retirement of the unit; null while it is held to be true.")
        @Nullable
        @TypeDef(type = DataType.JSON)
        RetiredJson retired,

        @Schema(description = "Number of the event that last changed it.")
        long seq,

        Instant updatedAt,

        @Schema(description = "Relations to entities and other units; null in lists.")
        @Nullable
        @TypeDef(type = DataType.JSON)
        RelationsJson relations)
        implements UnitJsonBuilder.With {
    @Serdeable
    @Schema(name = "MemoryProvenance", description = "The origin of a unit, and what found or derived it.")
    record ProvenanceJson(
            @Schema(description = "Session, as {project}/{key}, or null.") @Nullable
            String session,

            @Nullable UUID turn,

            @Schema(description = "SHA-256 of the chunk's text, or null.") @Nullable
            String chunk,

            @Schema(
                    description =
                            "Index of the part in the document, from 0; null if the unit is derived from other units.")
            @Nullable
            Integer saying,

            @Schema(
                    description = "Index of the first character in that part, in UTF-16 units; null if the unit is "
                            + "derived from other units.")
            @Nullable
            Integer from,

            @Schema(
                    description = "Index after the last character in that part, in UTF-16 units; null if the unit is "
                            + "derived from other units.")
            @Nullable
            Integer to,

            @Schema(description = "Version of what found or derived it, such as rules-1.") @Nullable
            String extractor,

            @Schema(description = "SHA-256 of the prompt; null if no model was called.") @Nullable
            String prompt,

            @Schema(description = "Model that found or derived it, or null.") @Nullable
            String model) {}

    @Serdeable
    @Schema(name = "MemoryRetired", description = "When and why a unit is no longer held to be true.")
    record RetiredJson(
            @Nullable Instant at,
            @Nullable String reason,

            @Schema(description = "Id of the unit that replaces it, or null.") @Nullable
            UUID replacedBy) {}

    @Serdeable
    @Schema(name = "MemoryRelations", description = "The relations of a unit to entities and other units.")
    record RelationsJson(
            @Schema(description = "Entities that the unit is about.")
            List<NamedJson> entities,

            @Schema(description = "The strongest links in both directions, at most 200.")
            List<LinkJson> links,

            @Schema(description = "Ids of units derived from it, at most 200.")
            List<UUID> partOf,

            @Schema(description = "Ids of units that it replaces, at most 200.")
            List<UUID> replaces) {}

    /** An entity by its name. */
    @Serdeable
    @Schema(name = "MemoryNamed", description = "A person or thing, with its name.")
    record NamedJson(UUID id, String name) {}

    @Serdeable
    @MappedEntity(value = "agent_memory_link_t", schema = "memory")
    @Schema(name = "MemoryLink", description = "A link to another unit.")
    record LinkJson(
            @Schema(description = "Id of the other unit.") UUID unit,

            @Schema(description = "Type of the link: temporal, semantic, causes, caused_by, enables or prevents.")
            String type,

            @Schema(description = "True if the link leads from this unit to the other one.")
            boolean outgoing,

            @Schema(description = "Strength from 0 to 1.") double weight) {}

    /** The reason for retiring a unit. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "RetireUnit", description = "The reason for retiring a unit.")
    record RetireJson(
            @Schema(description = "Reason for retiring it, 1 to 2,000 characters.") @Nullable
            String reason) {}
}
