package dev.parley.sessions.projection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.sessions.TestViews;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The projector writes exactly the columns of the migrations. */
final class TablesIT {
    private static final List<Table<?>> ALL = List.of(
            Tables.SESSIONS,
            Tables.TURNS,
            Tables.MESSAGES,
            Tables.PARTS,
            Tables.MODEL_CALLS,
            Tables.TOOL_CALLS,
            Tables.SESSION_EVENTS,
            Tables.SESSION_FILES,
            Tables.TODOS);

    private TestViews views;

    @BeforeEach
    void migrate() {
        views = new TestViews();
    }

    @AfterEach
    void close() {
        views.close();
    }

    @Test
    @Tag("P61")
    void writesExactlyTheMigratedColumns() {
        for (Table<?> table : ALL) {
            Set<String> written =
                    Arrays.stream(table.columns().split(", ")).collect(Collectors.toCollection(TreeSet::new));
            written.add("active"); // its default, or generated
            Set<String> migrated = views.query("""
                            SELECT column_name FROM information_schema.columns
                            WHERE table_schema = 'sessions' AND table_name = '%s' AND (is_generated = 'NEVER' OR column_name = 'active')""".formatted(table.name())).stream()
                    .map(row -> row.get("column_name").toString())
                    .collect(Collectors.toCollection(TreeSet::new));
            migrated.add("active");

            assertEquals(migrated, written, table.name());
        }
    }
}
