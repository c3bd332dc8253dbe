package dev.parley.workflows.api;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.UUID;

/**
 * Settings of a worklist: an assignee's tasks of one category.
 *
 * @param assigneeId a person's id, or {@code role:} and a name
 * @param statusCode {@code Active}, or {@code Inactive}, which gets no new tasks
 * @param appId app of its processes; {@code global} for all
 */
@MappedEntity(value = "worklist_t", schema = "workflows")
record WorklistRow(
        UUID hostId,
        @Id String assigneeId,
        String categoryId,
        String statusCode,
        String appId,
        long aggregateVersion,
        @MappedProperty("update_ts") Instant updatedAt,
        @MappedProperty("update_user") String updatedBy) {}
