package dev.parley.sessions.api;

import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;

/**
 * An item of the todo list that an agent keeps in a session.
 *
 * @param position Position in the list, from 0.
 * @param content The task.
 * @param activeForm The task in the present continuous.
 * @param status Status of the task: pending, in_progress or completed. At most one item of a list is in_progress.
 * @param updatedAt Time at which the list was written.
 */
@Serdeable
@MappedEntity(value = "todo_t", schema = "sessions")
@Schema(name = "Todo")
record TodoJson(
        int position,
        String content,
        String activeForm,
        String status,
        @MappedProperty("update_ts") Instant updatedAt) {}
