package dev.parley.platform.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.embedded.PostgresDatabase;
import dev.parley.platform.testkit.TestInfra;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Migrations of a schema by several instances at once, and migrations that fail. */
final class MigrationsIT {
    private static final int INSTANCES = 3;
    private static final String COLUMNS = """
            SELECT table_name || '.' || column_name FROM information_schema.columns
            WHERE table_schema = 'broken' AND table_name <> 'flyway_schema_history' ORDER BY 1
            """;

    private final PostgresDatabase created = TestInfra.newDatabase();

    private void migrate(String schema) {
        new ServiceSchema(schema, 1)
                .migrate(Databases.single(created.owner()), created.app().user());
    }

    private List<String> rows(String sql) throws SQLException {
        try (var connection = Databases.single(created.owner()).getConnection();
                var statement = connection.createStatement()) {
            statement.execute("SET app.host = '*'");
            var found = statement.executeQuery(sql);
            var rows = new ArrayList<String>();
            while (found.next()) {
                rows.add(found.getString(1));
            }
            return rows;
        }
    }

    @Test
    @Tag("I36")
    void instancesThatStartAtOnceApplyEachMigrationOnceAndInOrder() throws Exception {
        // Given
        var together = new CyclicBarrier(INSTANCES);

        // When
        try (var threads = Executors.newFixedThreadPool(INSTANCES)) {
            var instances = new ArrayList<Future<?>>();
            for (int i = 0; i < INSTANCES; i++) {
                instances.add(threads.submit(() -> {
                    together.await();
                    migrate("notes");
                    return null;
                }));
            }
            for (Future<?> instance : instances) {
                instance.get();
            }
        }
        migrate("notes");

        // Then
        assertEquals(
                List.of("1 true", "2 true"),
                rows("SELECT version || ' ' || success FROM notes.flyway_schema_history"
                        + " WHERE version IS NOT NULL ORDER BY installed_rank"));
        assertEquals(List.of("first"), rows("SELECT text FROM notes.note_t"));
        assertEquals(List.of("0"), rows("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 1"));
    }

    @Test
    @Tag("I36")
    void failedMigrationIsRolledBackAndPreventsTheStart() throws Exception {
        for (int start = 0; start < 2; start++) {
            // When
            var refused = assertThrows(IllegalStateException.class, () -> migrate("broken"));

            // Then
            assertTrue(String.valueOf(refused.getMessage()).contains("broken"), refused.getMessage());
            assertEquals(List.of("note_t.host_id", "note_t.text"), rows(COLUMNS));
            assertEquals(List.of("first"), rows("SELECT text FROM broken.note_t"));
            assertEquals(
                    List.of("1"), rows("SELECT version FROM broken.flyway_schema_history WHERE version IS NOT NULL"));
        }
    }
}
