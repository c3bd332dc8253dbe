package dev.parley.platform.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All columns of all rows of some tables in a few bytes: two databases that show the same have the same digest. The hashes of rows
 * are added up, so that nothing is sorted and nothing is kept, however many there are.
 *
 * @param tables rows and digest of each table
 */
public record Digest(Map<String, String> tables) {
    public Digest {
        tables = Map.copyOf(tables);
    }

    /** The digest of what tables of a schema hold now, of all hosts. */
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
