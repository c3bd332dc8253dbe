package dev.parley.memory.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

@Serdeable
@MappedEntity(value = "agent_memory_directive_t", schema = "memory")
@Schema(name = "MemoryDirective", description = "A hard rule for what a bank's reflections may say.")
record DirectiveJson(
        String name,
        String content,
        @Schema(description = "The highest first.") int priority,
        @Schema(description = "Whether it holds now.") boolean active,
        @MappedProperty("update_ts") Instant updatedAt) {

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "SetMemoryDirective", description = "What a rule says.")
    record SetJson(
            @Schema(description = "1 to 4,000 characters.", requiredMode = Schema.RequiredMode.REQUIRED) @Nullable
            String content,

            @Schema(description = "The highest first; 0 where it is missing.") @Nullable
            Integer priority,

            @Schema(description = "Whether it holds now; true where it is missing.") @Nullable
            Boolean active) {}
}
