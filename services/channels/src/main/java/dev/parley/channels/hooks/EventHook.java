package dev.parley.channels.hooks;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a project wants its events sent to.
 *
 * @param events types with commas between, or {@code *}
 * @param oldSealed the secret before, empty where none counts any more
 * @param problem why it was disabled, or null
 * @param failures attempts that failed one after the other
 */
@MappedEntity(value = "event_hook_t", schema = "channels")
@SuppressWarnings("ArrayRecordComponent") // as it is read; nobody compares rows
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
