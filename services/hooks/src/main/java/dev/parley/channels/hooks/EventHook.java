package dev.parley.channels.hooks;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Row of {@code channels.event_hook_t}: an event webhook of a project.
 *
 * @param events event types separated by commas, or {@code *}
 * @param oldSealed the previous secret, empty once it has expired
 * @param problem reason why the webhook was disabled, or null
 * @param failures consecutive failed attempts
 */
@MappedEntity(value = "event_hook_t", schema = "channels")
@SuppressWarnings("ArrayRecordComponent") // rows are not compared
record EventHook(
        UUID hostId,
        @Id UUID hookId,
        UUID projectId,
        String url,
        String description,
        String events,
        byte[] sealed,
        long masterKeyId,
        byte[] oldSealed,
        long oldMasterKeyId,
        boolean enabled,
        @Nullable String problem,
        int failures,
        @Nullable @MappedProperty("failing_ts") Instant failingSince,
        @MappedProperty("created_ts") Instant createdAt,
        @MappedProperty("aggregate_version") long version,
        @MappedProperty("update_ts") Instant updatedAt,
        @MappedProperty("update_user") String updatedBy) {
    List<String> types() {
        return List.of(events.split(","));
    }

    @Override
    public String toString() {
        return "EventHook[" + hookId + "]";
    }
}
