package dev.parley.sessions.api;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;

/**
 * A link by which anybody may read one session, without its secret.
 *
 * @param projectKey first part of the session's record key
 * @param projectKey first part of the session's record key
 * @param session id of one epoch of a key: what is said after a new beginning is not shown
 * @param maker who made it
 * @param shows what of the session it shows
 */
record ShareLink(
        UUID id,
        UUID host,
        UUID project,
        String projectKey,
        UUID session,
        UUID maker,
        Shows shows,
        Instant createdAt,
        Instant expiresAt) {

    static final String COLUMNS =
            "share_id, host_id, project_id, project_key, session_id, user_id, show_reasoning, show_tool_outputs, created_ts, expires_ts";

    /** What is shown besides what was said. */
    record Shows(boolean reasoning, boolean toolOutputs) {}

    static ShareLink of(ResultSet row) throws SQLException {
        return new ShareLink(
                uuid(row, "share_id"),
                uuid(row, "host_id"),
                uuid(row, "project_id"),
                row.getString("project_key"),
                uuid(row, "session_id"),
                uuid(row, "user_id"),
                new Shows(row.getBoolean("show_reasoning"), row.getBoolean("show_tool_outputs")),
                Objects.requireNonNull(Views.instant(row, "created_ts")),
                Objects.requireNonNull(Views.instant(row, "expires_ts")));
    }

    private static UUID uuid(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(Views.uuid(row, column));
    }
}
