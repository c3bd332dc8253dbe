package dev.parley.channels.bots;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.UUID;

/**
 * Row of {@code channels.project_bot_t}: a bot that a project created.
 *
 * @param settings a {@link BotSettings} as JSON
 * @param sealed its secrets; empty once it was removed
 * @param masterKeyId the master key that sealed them
 * @param last4 the last four characters of the token
 */
@MappedEntity(value = "project_bot_t", schema = "channels")
@SuppressWarnings("ArrayRecordComponent") // rows are not compared
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
