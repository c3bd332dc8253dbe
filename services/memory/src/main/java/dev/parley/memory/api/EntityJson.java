package dev.parley.memory.api;

import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;

/**
 * A person or thing that a bank knows something about.
 *
 * @param name The name most recently used for the entity.
 * @param mentions Number of units about the entity.
 */
@Serdeable
@MappedEntity(value = "agent_memory_entity_t", schema = "memory")
@Schema(name = "MemoryEntity")
record EntityJson(UUID id, String name, long mentions, Instant updatedAt) {
    /**
     * A person or thing that is mentioned together with another one.
     *
     * @param together Number of units about both.
     * @param last Date of the newest unit about both: when it happened or, if unknown, was said.
     */
    @Serdeable
    @Schema(name = "MemoryNeighbour")
    record NeighbourJson(
            UUID id,
            String name,
            long together,
            @TypeDef(type = DataType.JSON) Instant last) {}
}
