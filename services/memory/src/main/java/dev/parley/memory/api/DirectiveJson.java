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
@Schema(name = "MemoryDirective", description = "A hard rule about the content of a bank's reflections.")
record DirectiveJson(
        String name,
        String content,

        @Schema(description = "Priority; directives with a higher one come first.")
        int priority,

        @Schema(description = "True if the directive is in force.")
        boolean active,

        @MappedProperty("update_ts") Instant updatedAt) {

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "SetMemoryDirective", description = "The content of a directive.")
    record SetJson(
            @Schema(
                    description = "Text of the directive, 1 to 4,000 characters.",
                    requiredMode = Schema.RequiredMode.REQUIRED)
            @Nullable
            String content,

            @Schema(description = "Priority; directives with a higher one come first. Defaults to 0.") @Nullable
            Integer priority,

            @Schema(description = "True if the directive is in force. Defaults to true.") @Nullable
            Boolean active) {}
}
