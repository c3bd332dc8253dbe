package dev.parley.memory.api;

import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;

@Serdeable
@MappedEntity(value = "agent_memory_entity_t", schema = "memory")
@Schema(name = "MemoryEntity", description = "A person or thing that a bank knows something about.")
record EntityJson(
        UUID id,

        @Schema(description = "The name most recently used for the entity.")
        String name,

        @Schema(description = "Number of units about the entity.")
        long mentions,

        Instant updatedAt) {
    /** An entity that is mentioned together with another one. */
    @Serdeable
    @Schema(name = "MemoryNeighbour", description = "A person or thing that is mentioned together with another one.")
    record NeighbourJson(
            UUID id,
            String name,

            @Schema(description = "Number of units about both.")
            long together,

            @Schema(description = "Date of the newest unit about both: when it happened or, if unknown, was said.")
            @TypeDef(type = DataType.JSON)
            Instant last) {}
}
