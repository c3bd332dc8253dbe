package dev.parley.sessions.api;

import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;

@Serdeable
@MappedEntity(value = "todo_t", schema = "sessions")
@Schema(name = "Todo", description = "An item of the todo list that an agent keeps in a session.")
record TodoJson(
        @Schema(description = "Position in the list, from 0.")
        int position,

        @Schema(description = "The task.") String content,

        @Schema(description = "The task in the present continuous.")
        String activeForm,

        @Schema(
                description = "Status of the task: pending, in_progress or completed. At most one item of a list "
                        + "is in_progress.")
        String status,

        @Schema(description = "Time at which the list was written.") @MappedProperty("update_ts")
        Instant updatedAt) {}
