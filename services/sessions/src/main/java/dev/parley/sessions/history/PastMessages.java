package dev.parley.sessions.history;

import dev.parley.domain.RecordKey;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.sessions.SearchQuery;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Full-text search over the messages of a conversation, including messages that were summarised and those of earlier
 * epochs of the key. Other conversations are never searched: they may belong to other people.
 */
public record PastMessages(Database database) {
    /** Maximum number of results. */
    public static final int MOST = 20;

    private static final int SNIPPET = 500;
    private static final String SQL =
            """
            SELECT p.created_ts, m.role, p.content->>'text' AS text
              FROM to_tsquery('simple', ?) AS q
              JOIN sessions.agent_session_t s ON s.host_id = ? AND s.project_id = ? AND s.session_key = ? AND s.status <> 'deleted'
              JOIN sessions.agent_message_part_t p ON p.host_id = s.host_id AND p.session_id = s.session_id AND p.search @@ q
              JOIN sessions.agent_message_t m ON m.host_id = p.host_id AND m.message_id = p.message_id
              LEFT JOIN sessions.agent_turn_t t ON t.host_id = m.host_id AND t.turn_id = m.turn_id
             WHERE (m.turn_id IS NULL OR (t.start_position IS NOT NULL AND t.completed_ts IS NOT NULL))
               AND p.search_text IS NOT NULL AND p.kind = 'text' AND m.role IN ('user', 'assistant')
            """ + Reverted.LEFT_OUT + "ORDER BY ts_rank(p.search, q) DESC, p.created_ts DESC, p.part_id LIMIT ?";

    /**
     * A message found.
     *
     * @param role {@code user} or {@code assistant}
     * @param text excerpt around the first match, at most 500 characters
     */
    public record Excerpt(Instant at, String role, String text) {}

    /**
     * Searches the messages under a session's key, the best first.
     *
     * @throws IllegalArgumentException where the query has no words
     */
    public List<Excerpt> find(UUID host, RecordKey session, String query, int max) {
        SearchQuery parsed = SearchQuery.parse(query);
        if (parsed.terms().isEmpty()) {
            throw new IllegalArgumentException("the query has no words to search for");
        }
        return new Sql(database)
                .as(Tenant.of(host).project(session.projectId()))
                .query(
                        SQL,
                        Columns.list(row -> excerpt(row, parsed)),
                        parsed.toTsQuery(),
                        host,
                        session.projectId(),
                        session.session(),
                        Math.min(max, MOST));
    }

    private static Excerpt excerpt(ResultSet row, SearchQuery parsed) throws SQLException {
        return new Excerpt(
                Columns.time(row, "created_ts"),
                row.getString("role"),
                parsed.snippet(row.getString("text"), SNIPPET).text());
    }
}
