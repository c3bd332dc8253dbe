package dev.parley.memory.api;

import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

@Serdeable
@Schema(name = "MemoryGraph", description = "A part of a bank's knowledge, as nodes and edges.")
record GraphJson(
        @Schema(description = "Units, and the entities that they are about.")
        List<NodeJson> nodes,

        @Schema(
                description = "The 1,000 strongest links between these units, and edges of type entity from units "
                        + "to the entities that they are about.")
        List<EdgeJson> edges) {

    @Serdeable
    @Schema(name = "MemoryNode", description = "A unit or an entity.")
    record NodeJson(
            UUID id,

            @Schema(description = "Kind of the node: unit or entity.")
            String kind,

            @Schema(description = "Type of the unit; null for an entity.") @Nullable
            String type,

            @Schema(description = "Text of the unit, or name of the entity.")
            String text,

            @Schema(description = "Date of the unit; null for an entity.") @Nullable @TypeDef(type = DataType.JSON)
            Instant date) {}

    /** A connection of two nodes. */
    @Serdeable
    @Schema(name = "MemoryEdge", description = "A connection of two nodes.")
    record EdgeJson(
            UUID from,
            UUID to,

            @Schema(
                    description =
                            "Type of the edge: temporal, semantic, entity, causes, caused_by, enables or prevents.")
            String type,

            @Schema(description = "Strength from 0 to 1.") double weight) {}
}
