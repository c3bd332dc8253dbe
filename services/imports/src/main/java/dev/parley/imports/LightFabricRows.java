package dev.parley.imports;

import dev.parley.imports.SourceDatabase.RowReader;
import java.io.IOException;
import java.sql.SQLException;
import java.util.stream.Stream;

/** The active rows of one host of Light-Fabric. */
record LightFabricRows(SourceDatabase database, String host) {
    boolean has(String table) throws SQLException {
        return database.has(table);
    }

    /** The number of rows of a table, active or not; 0 without the table. */
    long count(String table) throws SQLException, IOException, InterruptedException {
        var rows = new long[1];
        if (database.has(table)) {
            String sql = "SELECT count(*) AS n FROM " + table + " WHERE " + database.asText("host_id") + " = ?";
            database.each(sql, row -> rows[0] = row.number("n"), host);
        }
        return rows[0];
    }

    /**
     * Reads rows; none without the table.
     *
     * @param required columns, as for {@link SourceDatabase#select}
     * @param suffix more conditions and the order
     */
    void each(String table, String required, String optional, String suffix, RowReader reader, Object... arguments)
            throws SQLException, IOException, InterruptedException {
        if (database.has(table)) {
            String sql = database.select(table, required, optional + ", active") + "WHERE " + database.asText("host_id")
                    + " = ? AND (active IS NULL OR active = " + database.trueLiteral() + ") " + suffix;
            database.each(
                    sql,
                    reader,
                    Stream.concat(Stream.of(host), Stream.of(arguments)).toArray());
        }
    }

    /** A condition on an id, with a parameter. */
    String and(String column) throws SQLException {
        return "AND " + database.asText(column) + " = ? ";
    }
}
