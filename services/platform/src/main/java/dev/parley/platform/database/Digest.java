package dev.parley.platform.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A digest of all columns and rows of some tables. It is the sum of the hashes of the rows, so that nothing is sorted
 * or kept in memory.
 *
 * @param tables rows and digest of each table
 */
public record Digest(Map<String, String> tables) {
    public Digest {
        tables = Map.copyOf(tables);
    }

    /** The digest of the current content of tables, of all hosts. */
    public static Digest of(Database database, String schema, List<String> names) throws SQLException {
        var digests = new LinkedHashMap<String, String>();
        try (Connection connection = database.reading(Tenant.ALL);
                Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL TimeZone = 'UTC'");
            for (String name : names) {
                digests.put(name, digest(statement, schema + "." + name));
            }
        }
        return new Digest(digests);
    }

    private static String digest(Statement statement, String table) throws SQLException {
        String sql = """
                SELECT concat_ws(' ', count(*), sum(('x' || left(row, 16))::bit(64)::bigint),
                  sum(('x' || right(row, 16))::bit(64)::bigint))
                FROM (SELECT md5(v::text) AS row FROM %s v) r
                """.formatted(table);
        try (ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }
}
