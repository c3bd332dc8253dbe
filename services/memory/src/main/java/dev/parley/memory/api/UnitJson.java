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

/**
 * A single piece of knowledge of a bank.
 *
 * @param type Type of the unit: world, experience, opinion, observation or mental_model.
 * @param confidence Confidence of an opinion, from 0 to 1; null for other types.
 * @param date When it happened or, if unknown, was said; lists are ordered by it.
 * @param occurredFrom Time at which it happened or began; null if unknown.
 * @param document Id of the document in which it was found; null if it is derived from other units.
 * @param proofCount Number of facts that state it.
 * @param sources Ids of the units from which it is derived.
 * @param version Number of the version, from 1.
 * @param reason Reason of the last change; null if it never changed.
 * @param seq Number of the event that last changed it.
 */
@Serdeable
@MappedEntity(value = "agent_memory_unit_t", schema = "memory")
@RecordBuilder
@Schema(name = "MemoryUnit")
record UnitJson(
        UUID id,
        String type,
        String text,
        @Nullable String context,
        @Nullable Double confidence,
        @TypeDef(type = DataType.JSON) Instant date,
        @Nullable @TypeDef(type = DataType.JSON) Instant occurredFrom,
        @Nullable @TypeDef(type = DataType.JSON) Instant occurredTo,
        @Nullable @TypeDef(type = DataType.JSON) Instant mentionedAt,
        @TypeDef(type = DataType.JSON) List<String> tags,
        @Nullable UUID document,

        @Schema(description = "Where the unit was found, or what derived it; null if that is not recorded.")
        @Nullable
        @TypeDef(type = DataType.JSON)
        ProvenanceJson provenance,

        int proofCount,
        @TypeDef(type = DataType.JSON) List<UUID> sources,
        int version,
        @Nullable String reason,

        @Schema(description = "Retirement of the unit; null while it is held to be true.")
        @Nullable
        @TypeDef(type = DataType.JSON)
        RetiredJson retired,

        long seq,
        Instant updatedAt,

        @Schema(description = "Relations to entities and other units; null in lists.")
        @Nullable
        @TypeDef(type = DataType.JSON)
        RelationsJson relations)
        implements UnitJsonBuilder.With {
    /**
     * The origin of a unit, and what found or derived it.
     *
     * @param session Session, as {project}/{key}, or null.
     * @param chunk SHA-256 of the chunk's text, or null.
     * @param saying Index of the part in the document, from 0; null if the unit is derived from other units.
     * @param from Index of the first character in that part, in UTF-16 units; null if the unit is derived from other
     *     units.
     * @param to Index after the last character in that part, in UTF-16 units; null if the unit is derived from other
     *     units.
     * @param extractor Version of what found or derived it, such as rules-1.
     * @param prompt SHA-256 of the prompt; null if no model was called.
     * @param model Model that found or derived it, or null.
     */
    @Serdeable
    @Schema(name = "MemoryProvenance", description = "The origin of a unit, and what found or derived it.")
    record ProvenanceJson(
            @Nullable String session,
            @Nullable UUID turn,
            @Nullable String chunk,
            @Nullable Integer saying,
            @Nullable Integer from,
            @Nullable Integer to,
            @Nullable String extractor,
            @Nullable String prompt,
            @Nullable String model) {}

    /**
     * When and why a unit is no longer held to be true.
     *
     * @param replacedBy Id of the unit that replaces it, or null.
     */
    @Serdeable
    @Schema(name = "MemoryRetired", description = "When and why a unit is no longer held to be true.")
    record RetiredJson(
            @Nullable Instant at,
            @Nullable String reason,
            @Nullable UUID replacedBy) {}

    /**
     * The relations of a unit to entities and other units.
     *
     * @param entities Entities that the unit is about.
     * @param links The strongest links in both directions, at most 200.
     * @param partOf Ids of units derived from it, at most 200.
     * @param replaces Ids of units that it replaces, at most 200.
     */
    @Serdeable
    @Schema(name = "MemoryRelations", description = "The relations of a unit to entities and other units.")
    record RelationsJson(List<NamedJson> entities, List<LinkJson> links, List<UUID> partOf, List<UUID> replaces) {}

    /** A person or thing, with its name. */
    @Serdeable
    @Schema(name = "MemoryNamed")
    record NamedJson(UUID id, String name) {}

    /**
     * A link to another unit.
     *
     * @param unit Id of the other unit.
     * @param type Type of the link: temporal, semantic, causes, caused_by, enables or prevents.
     * @param outgoing True if the link leads from this unit to the other one.
     * @param weight Strength from 0 to 1.
     */
    @Serdeable
    @MappedEntity(value = "agent_memory_link_t", schema = "memory")
    @Schema(name = "MemoryLink")
    record LinkJson(UUID unit, String type, boolean outgoing, double weight) {}

    /**
     * The reason for retiring a unit.
     *
     * @param reason Reason for retiring it, 1 to 2,000 characters.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "RetireUnit")
    record RetireJson(@Nullable String reason) {}
}
