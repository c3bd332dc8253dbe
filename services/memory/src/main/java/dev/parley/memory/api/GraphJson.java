package dev.parley.memory.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

@Serdeable
@Schema(name = "MemoryGraph", description = "Some of what a bank knows, and how it hangs together.")
record GraphJson(
        @Schema(description = "Units, and whom they are about.")
        List<NodeJson> nodes,

        @Schema(
                description =
                        "Links between these units, the strongest 1,000, and what says whom they are about: entity.")
        List<EdgeJson> edges) {

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "MemoryNode", description = "A unit or an entity.")
    record NodeJson(
            UUID id,
            @Schema(description = "unit or entity.") String kind,

            @Schema(description = "The type of a unit; null for an entity.") @Nullable
            String type,

            @Schema(description = "What it says, or its name.")
            String text,

            @Schema(description = "The date of a unit; null for an entity.") @Nullable
            Instant date) {}

    /** What holds two of them together. */
    @Serdeable
    @Schema(name = "MemoryEdge", description = "What holds two nodes together.")
    record EdgeJson(
            UUID from,
            UUID to,

            @Schema(description = "temporal, semantic, entity, causes, caused_by, enables or prevents.")
            String type,

            @Schema(description = "From 0 to 1.") double weight) {}
}
