package dev.parley.memory.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A hard rule about the content of a bank's reflections.
 *
 * @param priority Priority; directives with a higher one come first.
 * @param active True if the directive is in force.
 */
@Serdeable
@MappedEntity(value = "agent_memory_directive_t", schema = "memory")
@Schema(name = "MemoryDirective")
record DirectiveJson(
        String name,
        String content,
        int priority,
        boolean active,
        @MappedProperty("update_ts") Instant updatedAt) {

    /**
     * The content of a directive.
     *
     * @param priority Priority; directives with a higher one come first. Defaults to 0.
     * @param active True if the directive is in force. Defaults to true.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "SetMemoryDirective")
    record SetJson(
            @Schema(
                    description = "Text of the directive, 1 to 4,000 characters.",
                    requiredMode = Schema.RequiredMode.REQUIRED)
            @Nullable
            String content,

            @Nullable Integer priority,
            @Nullable Boolean active) {}
}
