package dev.parley.memory.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.BankRef;
import dev.parley.memory.MemorySchema;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The tables of memory where pgvector is: the embedded Postgres has none, so this runs where a database is named that has it and in
 * which nothing of Parley stands yet, as its superuser. One connection is enough, so PGlite does:
 *
 * <pre>
 *   npm install @electric-sql/pglite-socket @electric-sql/pglite-pgvector
 *   npx pglite-server --port 15499 --extensions @electric-sql/pglite-pgvector:vector &amp;
 *   ./mvnw verify -am -pl services/memory -Dit.test=PgvectorIT -Dtest=NONE -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dfailsafe.failIfNoSpecifiedTests=false \
 *     '-Dparley.pgvector=jdbc:postgresql://127.0.0.1:15499/postgres?user=postgres&amp;password=postgres&amp;prepareThreshold=0&amp;sslmode=disable'
 * </pre>
 */
@EnabledIfSystemProperty(named = "parley.pgvector", matches = "jdbc:.*")
class PgvectorIT {
    private static final String MIGRATION = "/db/migration/memory/V1__memory_views.sql";

    @Test
    void whatUnitsMeanIsAVectorWithAnIndex() throws SQLException, IOException {
        var bank = new BankRef(Ids.of("host", "pgvector"), RecordKey.DEFAULT_PROJECT, null, "ann");
        var log = new BankLog(bank)
                .retained("d", "x")
                .learned("u1", "d", "Alice met Bob.", "Alice", "Bob")
                .learned("u2", "d", "Bob owns a parrot.", "Bob");
        try (Connection connection = DriverManager.getConnection(System.getProperty("parley.pgvector"))) {
            migrate(connection);
            Database database = Database.on(connection);

            for (int time = 0; time < 2; time++) { // a second one changes nothing
                try (Connection writing = database.begin(Tenant.ALL)) {
                    new Views(writing).write(log.events);
                    writing.commit();
                }
            }

            assertEquals(List.of("vector(384)"), list(database, """
                            SELECT format_type(atttypid, atttypmod) FROM pg_attribute
                            WHERE attname = 'embedding' AND attrelid = 'memory.agent_memory_unit_t'::regclass"""));
            String closest = """
                    FROM memory.agent_memory_unit_t u ORDER BY u.embedding <=>
                      (SELECT embedding FROM memory.agent_memory_unit_t WHERE content LIKE '%parrot%') LIMIT 2""";
            assertEquals(
                    List.of("Bob owns a parrot.", "Alice met Bob."), list(database, "SELECT u.content " + closest));
            assertEquals(
                    List.of("384"),
                    list(database, "SELECT DISTINCT vector_dims(u.embedding)" + closest.replaceAll("(?s)ORDER.*", "")));
            String plan = String.join(
                    "\n", list(database, "SET LOCAL enable_seqscan = off", "EXPLAIN SELECT u.content " + closest));
            assertTrue(plan.contains("idx_mem_unit_embedding"), plan);
        }
    }

    /** As Flyway does it, which needs several connections. */
    private static void migrate(Connection connection) throws SQLException, IOException {
        try (InputStream sql = Objects.requireNonNull(MemorySchema.class.getResourceAsStream(MIGRATION));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ROLE parley_app");
            statement.execute("CREATE SCHEMA memory");
            statement.execute("SET search_path = memory, public");
            statement.execute(new String(sql.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("${appRole}", "parley_app")
                    .replace("${ofHost}", "true")
                    .replace("${ofProject}", "true"));
        }
    }

    private static List<String> list(Database database, String... statements) throws SQLException {
        var found = new ArrayList<String>();
        try (Connection connection = database.begin(Tenant.ALL);
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < statements.length - 1; i++) {
                statement.execute(statements[i]);
            }
            try (ResultSet row = statement.executeQuery(statements[statements.length - 1])) {
                while (row.next()) {
                    found.add(row.getString(1));
                }
            }
        }
        return found;
    }
}
