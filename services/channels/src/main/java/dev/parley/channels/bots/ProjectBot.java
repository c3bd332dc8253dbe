package dev.parley.channels.bots;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.UUID;

/**
 * A bot that people of a project have made.
 *
 * @param settings a {@link BotSettings} as JSON
 * @param sealed its token; empty once it was removed
 * @param masterKeyId what has sealed it
 * @param last4 the end of the token, by which people know it
 */
@MappedEntity(value = "project_bot_t", schema = "channels")
@SuppressWarnings("ArrayRecordComponent") // as it is read; nobody compares rows
record ProjectBot(
        UUID hostId,
        @Id UUID botId,
        String bot,
        UUID projectId,
        String projectKey,
        String kind,
        String settings,
        byte[] sealed,
        long masterKeyId,
        String last4,
        @MappedProperty("aggregate_version") long version,
        boolean active,
        @MappedProperty("update_ts") Instant updatedAt,
        @MappedProperty("update_user") String updatedBy) {
    @Override
    public String toString() {
        return "ProjectBot[" + bot + ", version " + version + "]";
    }
}
