package dev.parley.sessions.projection;

import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.TurnEvent.SessionErased;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import org.jspecify.annotations.Nullable;

/**
 * Deletes all rows of an erased session, and records its data to be removed elsewhere. Its SQL is by hand: it runs on
 * the connection of the projection's batch, which a replay opens without Micronaut.
 */
final class ErasedRows {
    private static final String OF_KEY =
            "SELECT session_id FROM sessions.agent_session_t WHERE host_id = ? AND project_id = ? AND session_key = ?";

    private static final String RECEIPT = """
            INSERT INTO sessions.erasure_t AS e (host_id, erasure_id, project_id, kind, subject, state, seq, epoch, sessions,
              messages, requested_by, requested_ts)
            SELECT s.host, ?, s.project, 'session', ?, 'removed', ?, ?, count(t.session_id), coalesce(sum(t.message_count), 0), ?, ?
            FROM (VALUES (?::uuid, ?::uuid, ?)) AS s (host, project, key)
            LEFT JOIN sessions.agent_session_t t ON t.host_id = s.host AND t.project_id = s.project AND t.session_key = s.key
            GROUP BY s.host, s.project
            ON CONFLICT (host_id, erasure_id) DO UPDATE SET state = 'removed', seq = excluded.seq, epoch = excluded.epoch,
              sessions = excluded.sessions, messages = excluded.messages, next_ts = now()
            WHERE e.state = 'asked'
            """;

    private static final String BLOBS = """
            INSERT INTO sessions.erasure_blob_t (host_id, erasure_id, sha256)
            SELECT DISTINCT f.host_id, ?::uuid, f.sha256
            FROM sessions.session_file_t f JOIN sessions.agent_session_t s USING (host_id, project_id, session_id)
            WHERE s.host_id = ? AND s.project_id = ? AND s.session_key = ?
            ON CONFLICT DO NOTHING
            """;

    private static final String SLUGS =
            "DELETE FROM sessions.session_slug_t WHERE host_id = ? AND session_id IN (%s)".formatted(OF_KEY);

    private static final String SHARES =
            "DELETE FROM sessions.session_share_t WHERE host_id = ? AND session_id IN (%s)".formatted(OF_KEY);

    private static final String SESSIONS =
            "DELETE FROM sessions.agent_session_t WHERE host_id = ? AND project_id = ? AND session_key = ?";

    private final Connection connection;

    ErasedRows(Connection connection) {
        this.connection = connection;
    }

    /** Deletes them in the transaction of the batch that contains the event. */
    void remove(SessionErased event) throws SQLException {
        EventMeta meta = event.meta();
        var host = meta.host();
        var project = meta.key().projectId();
        String key = meta.key().session();
        update(
                RECEIPT,
                event.erasure(),
                meta.key().toString(),
                meta.seq(),
                meta.epoch(),
                event.by(),
                Timestamp.from(meta.at()),
                host,
                project,
                key);
        update(BLOBS, event.erasure(), host, project, key);
        update(SLUGS, host, host, project, key);
        update(SHARES, host, host, project, key);
        update(SESSIONS, host, project, key);
    }

    private void update(String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }
}
