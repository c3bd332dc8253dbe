package dev.parley.platform.database;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.api.MigrationVersion;
import org.postgresql.PGConnection;

/**
 * The tables that a release has written, as one text file each, so that later releases can load them. The first line
 * lists the columns; the others are in the format of Postgres' {@code COPY}.
 */
public final class ReleasedTables {
    private static final String ENDING = ".tsv";
    private static final String HISTORY = "flyway_schema_history";

    private ReleasedTables() {}

    /** Writes the tables that have rows. */
    public static void write(Connection superuser, Path folder) throws SQLException, IOException {
        Files.createDirectories(folder);
        var copies = superuser.unwrap(PGConnection.class).getCopyAPI();
        List<String> tables = strings(superuser, """
            SELECT schemaname || '.' || tablename FROM pg_tables
            WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'public') ORDER BY 1
            """);
        for (String table : tables) {
            if (strings(superuser, "SELECT 1 FROM " + table + " LIMIT 1").isEmpty()) {
                continue;
            }
            String columns = String.join(",", columns(superuser, table, "c.is_generated = 'NEVER'"));
            try (OutputStream file = Files.newOutputStream(folder.resolve(table + ENDING))) {
                file.write((columns + "\n").getBytes(StandardCharsets.UTF_8));
                copies.copyOut("COPY (SELECT %s FROM %s ORDER BY 1, 2) TO STDOUT".formatted(columns, table), file);
            }
        }
    }

    /**
     * Creates the tables with the migrations of the release, and fills them.
     *
     * @param shift added to all times, so that rows that were due within a minute are not due for months
     */
    public static void load(Path folder, Connection superuser, DataSource owner, String appRole, Duration shift)
            throws SQLException, IOException {
        List<Path> files;
        try (Stream<Path> entries = Files.list(folder)) {
            files = entries.sorted().toList();
        }
        for (Path file : files) {
            if (table(file).endsWith(HISTORY)) {
                var schema = new ServiceSchema(table(file).replaceFirst("\\..*", ""), 0);
                schema.migrations(owner, appRole)
                        .target(version(file))
                        .repeatableSqlMigrationPrefix("none") // those of this build name later columns
                        .load()
                        .migrate();
            }
        }
        try (Statement statement = superuser.createStatement()) {
            statement.execute("SET session_replication_role = replica"); // no foreign key, no trigger
        }
        for (Path file : files) {
            load(file, superuser, shift);
        }
    }

    private static void load(Path file, Connection superuser, Duration shift) throws SQLException, IOException {
        String table = table(file);
        try (Statement statement = superuser.createStatement();
                BufferedReader rows = Files.newBufferedReader(file)) {
            statement.execute("DELETE FROM " + table); // rows that migrations inserted
            String columns = rows.readLine();
            superuser
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("COPY %s (%s) FROM STDIN".formatted(table, columns), rows);
            for (String column : columns(superuser, table, "c.data_type = 'timestamp with time zone'")) {
                statement.execute("UPDATE %1$s SET %2$s = %2$s + interval '%3$d seconds'"
                        .formatted(table, column, shift.toSeconds()));
            }
            for (String column : columns(superuser, table, "c.is_identity = 'YES'")) {
                statement.execute("SELECT setval(pg_get_serial_sequence('%1$s', '%2$s'), max(%2$s)) FROM %1$s"
                        .formatted(table, column));
            }
        }
    }

    private static MigrationVersion version(Path history) throws IOException {
        int column = List.of(Files.readAllLines(history).getFirst().split(",")).indexOf("version");
        return Files.readAllLines(history).stream()
                .skip(1)
                .map(row -> row.split("\t")[column])
                .filter(version -> version.matches("\\d+"))
                .map(MigrationVersion::fromVersion)
                .max(MigrationVersion::compareTo)
                .orElseThrow();
    }

    private static String table(Path file) {
        return file.getFileName().toString().replace(ENDING, "");
    }

    private static List<String> columns(Connection superuser, String table, String condition) throws SQLException {
        return strings(superuser, """
            SELECT quote_ident(c.column_name) FROM information_schema.columns c
            WHERE c.table_schema || '.' || c.table_name = '%s' AND %s ORDER BY c.ordinal_position
            """.formatted(table, condition));
    }

    private static List<String> strings(Connection superuser, String sql) throws SQLException {
        try (Statement statement = superuser.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            var found = new ArrayList<String>();
            while (row.next()) {
                found.add(row.getString(1));
            }
            return found;
        }
    }
}
