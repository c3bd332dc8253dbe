package dev.parley.channels.hooks;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Row of {@code channels.hook_delivery_t}: one event for one webhook.
 *
 * @param status HTTP status of the last attempt, or null
 */
@MappedEntity(value = "hook_delivery_t", schema = "channels")
record HookDelivery(
        UUID hostId,
        @Id UUID deliveryId,
        UUID hookId,
        UUID projectId,
        String event,
        String body,
        String state,
        int attempts,
        @MappedProperty("due_ts") Instant dueAt,
        @Nullable Integer status,
        @Nullable String detail,
        @MappedProperty("created_ts") Instant createdAt) {}
