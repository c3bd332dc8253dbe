package dev.parley.sessions.api.share;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.UUID;

/**
 * A share link, which gives its holders read access to one session.
 *
 * @param projectKey first part of the session's record key
 * @param session id of one epoch of a key: later epochs are not shown
 * @param maker the user who created it
 * @param tokenHash SHA-256 of its secret
 */
@MappedEntity(value = "session_share_t", schema = "sessions")
record ShareLink(
        @Id @MappedProperty("share_id") UUID id,

        @MappedProperty("host_id") UUID host,
        @MappedProperty("project_id") UUID project,
        String projectKey,
        @MappedProperty("session_id") UUID session,
        @MappedProperty("user_id") UUID maker,
        String tokenPrefix,
        byte[] tokenHash,
        boolean showReasoning,
        boolean showToolOutputs,
        @MappedProperty("created_ts") Instant createdAt,
        @MappedProperty("expires_ts") Instant expiresAt,
        @MappedProperty("update_user") String updatedBy) {

    /** Optional content that the link shows. */
    record Shows(boolean reasoning, boolean toolOutputs) {}

    Shows shows() {
        return new Shows(showReasoning, showToolOutputs);
    }

    /** Omits the secret. */
    @Override
    public String toString() {
        return "ShareLink[" + id + "]";
    }
}
