package dev.parley.sessions.projection;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All columns of all rows of all views in a few bytes: two databases that show the same have the same digest.
 *
 * @param tables rows and digest of each table
 */
public record Digest(Map<String, String> tables) {
    /** The views, children before their parents. */
    static final List<String> VIEWS = List.of(
            "agent_session_history_t",
            "session_event_t",
            "todo_t",
            "session_file_t",
            "tool_call_t",
            "model_call_t",
            "agent_message_part_t",
            "agent_message_t",
            "agent_turn_t",
            "agent_session_t",
            "project_t",
            "host_t");

    public Digest {
        tables = Map.copyOf(tables);
    }

    /** The digest of what the views hold now, of all hosts. */
    static Digest of(Database database) throws SQLException {
        var digests = new LinkedHashMap<String, String>();
        try (Connection connection = database.reading(Tenant.ALL);
                Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL TimeZone = 'UTC'");
            for (String view : VIEWS) {
                digests.put(view, digest(statement, view));
            }
        }
        return new Digest(digests);
    }

    private static String digest(Statement statement, String view) throws SQLException {
        String sql = """
                SELECT count(*) || ' ' || coalesce(md5(string_agg(row, '' ORDER BY row)), '')
                FROM (SELECT md5(v::text) AS row FROM sessions.%s v) r
                """.formatted(view);
        try (ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }
}
