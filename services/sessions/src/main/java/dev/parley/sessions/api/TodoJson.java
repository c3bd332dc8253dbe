package dev.parley.sessions.api;

import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;

@Serdeable
@MappedEntity(value = "todo_t", schema = "sessions")
@Schema(name = "Todo", description = "One item of the list that an agent keeps of what it does in a session.")
record TodoJson(
        @Schema(description = "Its place in the list, from 0.")
        int position,

        @Schema(description = "What is to be done.") String content,

        @Schema(description = "The same while it is being done.")
        String activeForm,

        @Schema(description = "pending, in_progress or completed; one of a list is in_progress, or none.")
        String status,

        @Schema(description = "When the list was written.") @MappedProperty("update_ts")
        Instant updatedAt) {}
