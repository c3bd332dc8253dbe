package dev.parley.memory.api;

import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A part of a bank's knowledge, as nodes and edges.
 *
 * @param nodes Units, and the entities that they are about.
 * @param edges The 1,000 strongest links between these units, and edges of type entity from units to the entities that
 *     they are about.
 */
@Serdeable
@Schema(name = "MemoryGraph")
record GraphJson(List<NodeJson> nodes, List<EdgeJson> edges) {

    /**
     * A unit or an entity.
     *
     * @param kind Kind of the node: unit or entity.
     * @param type Type of the unit; null for an entity.
     * @param text Text of the unit, or name of the entity.
     * @param date Date of the unit; null for an entity.
     */
    @Serdeable
    @Schema(name = "MemoryNode")
    record NodeJson(
            UUID id,
            String kind,
            @Nullable String type,
            String text,
            @Nullable @TypeDef(type = DataType.JSON) Instant date) {}

    /**
     * A connection of two nodes.
     *
     * @param type Type of the edge: temporal, semantic, entity, causes, caused_by, enables or prevents.
     * @param weight Strength from 0 to 1.
     */
    @Serdeable
    @Schema(name = "MemoryEdge")
    record EdgeJson(UUID from, UUID to, String type, double weight) {}
}
