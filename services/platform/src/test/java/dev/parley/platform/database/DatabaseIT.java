package dev.parley.platform.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.platform.testkit.TestInfra;
import io.micronaut.context.ApplicationContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pool of one connection that serves tenants in turn. */
class DatabaseIT {
    private static final UUID HOST = UUID.fromString("00000000-0000-0000-0000-000000000001");
    private static final UUID PROJECT = UUID.fromString("00000000-0000-0000-0000-000000000002");
    private static final String SETTINGS =
            "SELECT concat_ws(' ', current_setting('app.host', true), current_setting('app.project', true), current_setting('app.user', true))";

    private static ApplicationContext context;
    private static Database database;

    @BeforeAll
    static void start() {
        context = ApplicationContext.builder()
                .properties(Databases.pool(TestInfra.newDatabase().app()))
                .properties(Map.of("datasources.default.maximum-pool-size", 1))
                .start();
        database = context.getBean(Database.class);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    private static String settings(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(SETTINGS)) {
            row.next();
            return row.getString(1).strip();
        }
    }

    @Test
    @Tag("I112")
    void tenantSettingsEndWithTheTransaction() throws SQLException {
        var tenant = Tenant.of(HOST).project(PROJECT).user("ada");
        try (Connection connection = database.begin(tenant)) {
            assertEquals(HOST + " " + PROJECT + " ada", settings(connection));
            connection.commit();
            assertEquals("", settings(connection));
        }
        try (Connection connection = database.begin(Tenant.ALL)) {
            assertEquals("* *", settings(connection));
        }
        try (Connection connection = database.reading(Tenant.NONE)) {
            assertEquals("", settings(connection));
        }
    }

    @Test
    void rollsBackUncommittedChangesAndRejectsWritesOfReaders() throws SQLException {
        try (Connection connection = database.begin(Tenant.NONE)) {
            run(connection, "CREATE TEMPORARY TABLE note (text text)");
        }
        try (Connection connection = database.reading(Tenant.NONE)) {
            var refused = assertThrows(SQLException.class, () -> run(connection, "CREATE SCHEMA mine"));
            assertEquals("25006", refused.getSQLState());
        }
        try (Connection connection = database.begin(Tenant.NONE)) {
            run(connection, "CREATE TEMPORARY TABLE note (text text)");
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    @Tag("I112")
    void rowsOfAMigrationAreVisibleToTheirHostOnly() {
        // Given
        var created = TestInfra.newDatabase();
        new ServiceSchema("notes", 1)
                .migrate(Databases.single(created.owner()), created.app().user());

        var sql = new Sql(Database.of(Databases.single(created.app())));
        String query = "SELECT count(*) FROM notes.note_t";

        // Then
        for (var expected : Map.of(Tenant.of(HOST), 1, Tenant.of(PROJECT), 0, Tenant.NONE, 0, Tenant.ALL, 1)
                .entrySet()) {
            int found = sql.as(expected.getKey()).query(query, row -> row.next() ? row.getInt(1) : -1);
            assertEquals(expected.getValue(), found, expected.getKey().toString());
        }
    }

    @Test
    void rejectsInvalidTenants() {
        assertThrows(IllegalArgumentException.class, () -> Tenant.ALL.project(PROJECT));
        assertThrows(IllegalArgumentException.class, () -> Tenant.of(HOST).user("*"));
        assertThrows(IllegalArgumentException.class, () -> new Tenant("x", "", ""));
    }
}
