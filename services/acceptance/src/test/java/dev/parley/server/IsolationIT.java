package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.agents.AgentsSchema;
import dev.parley.channels.ChannelsSchema;
import dev.parley.control.ControlSchema;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.memory.MemorySchema;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.ReaderRole;
import dev.parley.platform.database.RowSecurityCheck;
import dev.parley.platform.embedded.DatabaseLogin;
import dev.parley.platform.embedded.PostgresDatabase;
import dev.parley.platform.testkit.TestInfra;
import dev.parley.sessions.SessionsSchema;
import dev.parley.tools.ToolsSchema;
import dev.parley.workflows.WorkflowsSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Row-level security in Postgres for every kind of statement. Both hosts have two projects. */
final class IsolationIT {
    private static final UUID HOST = Ids.of("host", "isolation");
    private static final UUID OTHER_HOST = Ids.of("host", "elsewhere");
    private static final UUID PROJECT = RecordKey.projectId("mine");
    private static final UUID OTHER_PROJECT = RecordKey.projectId("theirs");
    private static final String REFUSED = "42501";

    private static PostgresDatabase database;
    private static List<Guarded> tables;

    /** A table with a host column. */
    private record Guarded(String name, boolean hasProject) {
        /** Rows that are not those of {@link #HOST} and {@link #PROJECT}. */
        String foreign() {
            String host = "host_id <> '" + HOST + "'";
            return hasProject ? host + " OR project_id = '" + OTHER_PROJECT + "'" : host;
        }
    }

    @BeforeAll
    static void migrate() throws SQLException {
        database = TestInfra.newDatabase();
        var owner = Databases.single(database.owner());
        AgentsSchema.migrate(owner, database.app().user());
        SessionsSchema.migrate(owner, database.app().user());
        ChannelsSchema.migrate(owner, database.app().user());
        ToolsSchema.migrate(owner, database.app().user());
        MemorySchema.migrate(owner, database.app().user());
        WorkflowsSchema.migrate(owner, database.app().user());
        ControlSchema.migrate(owner, database.app().user());
        for (UUID host : List.of(HOST, OTHER_HOST)) {
            for (UUID project : List.of(PROJECT, OTHER_PROJECT)) {
                // A project's id is one over all hosts.
                TenantRows.into(Database.of(owner), host, host.equals(HOST) ? project : Ids.of(host, project));
            }
        }
        tables = tables();
        assertFalse(tables.isEmpty());
    }

    /** Every table with a host column, in any schema. */
    private static List<Guarded> tables() throws SQLException {
        try (Connection connection = connect(database.owner());
                ResultSet row = connection.createStatement().executeQuery("""
                    SELECT c.oid::regclass::text, EXISTS (SELECT 1 FROM pg_attribute p
                             WHERE p.attrelid = c.oid AND p.attname = 'project_id' AND NOT p.attisdropped)
                    FROM pg_class c JOIN pg_attribute h ON h.attrelid = c.oid AND h.attname = 'host_id' AND NOT h.attisdropped
                    WHERE c.relkind IN ('r', 'p') ORDER BY 1\
                    """)) {
            var found = new ArrayList<Guarded>();
            while (row.next()) {
                found.add(new Guarded(row.getString(1), row.getBoolean(2)));
            }
            return found;
        }
    }

    private static Connection connect(DatabaseLogin login) throws SQLException {
        return Databases.single(login).getConnection();
    }

    /** A connection of the application with these settings for its lifetime. */
    private static Connection app(String host, String project) throws SQLException {
        Connection connection = connect(database.app());
        run(connection, "SET app.host = '" + host + "'");
        run(connection, "SET app.project = '" + project + "'");
        return connection;
    }

    private static Connection tenantConnection() throws SQLException {
        return app(HOST.toString(), PROJECT.toString());
    }

    private static int run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.execute(sql) ? 0 : statement.getUpdateCount();
        }
    }

    private static long count(Connection connection, Guarded table, String condition) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT count(*) FROM " + table.name() + " WHERE " + condition)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static boolean isTrue(Connection connection, String condition) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + condition)) {
            row.next();
            return row.getBoolean(1);
        }
    }

    private static void assertRefused(Connection connection, String sql) {
        var refused = assertThrows(SQLException.class, () -> run(connection, sql), sql);
        assertEquals(REFUSED, refused.getSQLState(), sql + ": " + refused.getMessage());
    }

    @Test
    @Tag("B113")
    void everyTableAndColumnHasAComment() throws SQLException {
        try (Connection connection = connect(database.owner());
                ResultSet row = connection.createStatement().executeQuery("""
                    SELECT string_agg(missing, ' ') FROM (
                      SELECT c.oid::regclass || '' AS missing FROM pg_class c
                      WHERE c.relkind IN ('r', 'p', 'v') AND c.relowner = current_user::regrole
                        AND c.relname <> 'flyway_schema_history' AND obj_description(c.oid, 'pg_class') IS NULL
                      UNION ALL
                      SELECT c.oid::regclass || '.' || a.attname FROM pg_class c
                      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                      WHERE c.relkind IN ('r', 'p') AND c.relowner = current_user::regrole
                        AND c.relname <> 'flyway_schema_history' AND col_description(c.oid, a.attnum) IS NULL) x\
                    """)) {
            row.next();
            assertNull(row.getString(1), "R__comments.sql of the schema has the comments");
        }
    }

    @Test
    @Tag("B114")
    void aReaderSeesItsTenantWhateverItSets() throws SQLException {
        for (var role : List.of(
                new ReaderRole("bi_host", HOST.toString(), null),
                new ReaderRole("bi_project", HOST.toString(), PROJECT.toString()))) {
            int readable = 0;
            try (Connection connection = reader(role);
                    Connection owner = connect(database.owner())) {
                run(connection, "SET app.host = '*'");
                run(connection, "SET default_transaction_read_only = off");
                for (Guarded table : tables) {
                    if (!isTrue(
                            owner,
                            "has_any_column_privilege('" + role.name() + "', '" + table.name() + "', 'SELECT')")) {
                        continue;
                    }
                    readable++;
                    String host = "host_id <> '" + HOST + "'";
                    String foreign =
                            role.project() == null ? host : host + " OR project_id IS DISTINCT FROM '" + PROJECT + "'";
                    assertEquals(0, count(connection, table, foreign), table.name());
                    assertRefused(connection, "DELETE FROM " + table.name());
                }
                assertTrue(
                        count(connection, new Guarded("sessions.agent_turn_t", true), "true") > 0, "it sees its own");
                assertRefused(connection, "SELECT username FROM control.user_t");
                if (role.project() == null) {
                    assertRefused(connection, "SELECT key_hash FROM control.api_key_t");
                    assertRefused(connection, "SELECT sealed FROM control.provider_credential_t");
                }
            }
            assertTrue(readable > 30, role + " reads " + readable);
        }
    }

    /** Columns that look like secrets, and are none. */
    private static final Map<String, List<String>> HARMLESS = Map.of(
            "names that people and programs use",
            List.of(
                    "channels.project_bot_t.project_key",
                    "channels.task_message_t.project_key",
                    "control.host_t.host_key",
                    "control.project_t.external_key",
                    "control.project_t.project_key",
                    "memory.agent_memory_bank_t.project_key",
                    "memory.agent_memory_entity_t.name_key",
                    "sessions.agent_session_t.session_key",
                    "sessions.project_t.project_key",
                    "sessions.session_share_t.project_key",
                    "sessions.tool_call_t.child_key",
                    "tools.tool_execution_t.session_key",
                    "workflows.process_info_t.project_key",
                    "workflows.task_info_t.project_key",
                    "workflows.task_info_t.session_key"),
            "which secret it is, without the secret",
            List.of(
                    "channels.event_hook_t.master_key_id",
                    "channels.event_hook_t.old_master_key_id",
                    "channels.project_bot_t.master_key_id",
                    "control.api_key_t.api_key_id",
                    "control.api_key_t.key_prefix",
                    "control.auth_session_t.token_prefix",
                    "control.provider_credential_t.credential_id",
                    "control.provider_credential_t.master_key_id",
                    "sessions.model_call_t.credential_id",
                    "sessions.session_share_t.token_prefix"),
            "digests of content that is read as well, or of files",
            List.of(
                    "memory.agent_memory_doc_t.content_hash",
                    "sessions.erasure_blob_t.sha256",
                    "sessions.model_call_t.response_sha256",
                    "sessions.session_file_t.sha256",
                    "tools.file_t.sha256",
                    "tools.file_version_t.sha256",
                    "tools.snapshot_t.hash",
                    "workflows.wf_definition_t.digest"));

    @Test
    @Tag("B162")
    void aReaderReadsNoColumnThatLooksLikeASecret() throws SQLException {
        var suspicious = new TreeSet<String>();
        var secret = new ArrayList<String>();
        try (Connection owner = connect(database.owner());
                Connection connection = reader(new ReaderRole("bi_secrets", null, null));
                ResultSet row = owner.createStatement().executeQuery("""
                    SELECT c.oid::regclass || '.' || a.attname, c.oid::regclass::text, a.attname,
                      col_description(c.oid, a.attnum) LIKE 'Secret.%' AS is_secret
                    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                    WHERE c.relkind IN ('r', 'p') AND c.relowner = current_user::regrole
                      AND (col_description(c.oid, a.attnum) LIKE 'Secret.%' OR a.atttypid = 'bytea'::regtype
                        OR a.attname ~ '(^|_)(hash|sha256|token|secret|key|digest|pass\\w*|sign\\w*|cipher\\w*|sealed|nonce|verifier|cookie|credential)(_|$)')
                    ORDER BY 1\
                    """)) {
            while (row.next()) {
                if (row.getBoolean("is_secret")) {
                    secret.add(row.getString(1));
                    assertRefused(connection, "SELECT " + row.getString(3) + " FROM " + row.getString(2));
                } else if (isTrue(
                        owner,
                        "has_column_privilege('bi_secrets', '%s', '%s', 'SELECT')"
                                .formatted(row.getString(2), row.getString(3)))) {
                    suspicious.add(row.getString(1));
                }
            }
        }

        // Then
        assertTrue(secret.size() > 15, secret.toString());
        assertEquals(
                HARMLESS.values().stream().flatMap(List::stream).collect(Collectors.toCollection(TreeSet::new)),
                suspicious);
    }

    @Test
    @Tag("B162")
    void aReaderReadsNoColumnWithoutAComment() throws SQLException {
        try (Connection owner = connect(database.owner())) {
            run(owner, "ALTER TABLE control.project_t ADD COLUMN unknown_text text");
            try (Connection connection = reader(new ReaderRole("bi_columns", HOST.toString(), null))) {
                // Then
                assertRefused(connection, "SELECT unknown_text FROM control.project_t");
                assertTrue(count(connection, new Guarded("control.project_t", true), "project_key <> ''") > 0);

                // When
                run(owner, "COMMENT ON COLUMN control.project_t.unknown_text IS 'A note.'");
                new ReaderRole("bi_columns", HOST.toString(), null).grant(Databases.single(database.owner()));

                // Then
                assertEquals(0, count(connection, new Guarded("control.project_t", true), "unknown_text <> ''"));

                // When
                run(owner, "COMMENT ON COLUMN control.project_t.unknown_text IS 'Secret. A note.'");
                new ReaderRole("bi_columns", HOST.toString(), null).grant(Databases.single(database.owner()));

                // Then
                assertRefused(connection, "SELECT unknown_text FROM control.project_t");
            } finally {
                run(owner, "ALTER TABLE control.project_t DROP COLUMN unknown_text");
            }
        }
    }

    /** A login as a role that was made as the command makes it, with the settings that it has from the start. */
    private static Connection reader(ReaderRole role) throws SQLException {
        var superuser = Databases.single(TestInfra.superuser(database));
        assertFalse(ReaderRole.execute(Databases.single(database.owner()), role.creation(superuser, "secret")));
        assertTrue(ReaderRole.execute(superuser, role.creation(superuser, "secret")));
        assertTrue(ReaderRole.execute(superuser, role.creation(superuser, "secret")), "once more");
        int granted = role.grant(Databases.single(database.owner()));
        assertEquals(granted, role.grant(Databases.single(database.owner())), "once more");
        return connect(new DatabaseLogin(database.owner().url(), role.name(), "secret"));
    }

    @Test
    @Tag("B113")
    void everyQueryOfThePageRuns() throws SQLException, IOException {
        List<String> queries = Pattern.compile("```sql\\R(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../../docs/tables.md")))
                .results()
                .map(query -> query.group(1))
                .toList();

        try (Connection connection = reader(new ReaderRole("bi_queries", HOST.toString(), null))) {
            for (String query : queries) {
                try (Statement statement = connection.createStatement()) {
                    assertTrue(statement.execute(query), query);
                }
            }
        }
        assertTrue(queries.size() >= 6, queries.size() + " queries");
    }

    @Test
    @Tag("B115")
    void aQueryWithoutATenantIsTold() throws SQLException {
        for (Guarded table : tables) {
            try (Connection connection = connect(database.owner());
                    Statement statement = connection.createStatement()) {
                statement.execute("SELECT 1 FROM " + table.name());
                SQLWarning warning = statement.getWarnings();
                assertNotNull(warning, table.name());
                assertTrue(warning.getMessage().contains("app.host is not set"), warning.getMessage());

                statement.execute("SET app.host = ''");
                statement.execute("SELECT 1 FROM " + table.name());
                assertNull(statement.getWarnings(), table.name());
            }
        }
    }

    @Test
    @Tag("I112")
    void everyTenantTableHasAPolicyThatAppliesToItsOwnerToo() throws SQLException {
        // Then
        assertTrue(tables.size() >= 29, tables.toString());
        try (Connection connection = connect(database.owner())) {
            for (Guarded table : tables) {
                String settings = table.hasProject() ? "%app.host%app.project%" : "%app.host%";
                assertTrue(isTrue(connection, """
                    (SELECT relrowsecurity AND relforcerowsecurity FROM pg_class WHERE oid = '%1$s'::regclass)
                    AND (SELECT count(*) > 0 AND bool_and(polcmd = '*' AND pg_get_expr(polqual, polrelid) LIKE '%2$s'
                                  AND pg_get_expr(polwithcheck, polrelid) LIKE '%2$s')
                         FROM pg_policy WHERE polpermissive AND polrelid = '%1$s'::regclass)
                    """.formatted(table.name(), settings)), table.name());
                assertEquals(0, count(connection, table, "true"), table.name() + " to an owner who has set nothing");
            }
        }
    }

    @Test
    @Tag("I112")
    @Tag("W1")
    void rowLevelSecurityHidesRowsOfOtherHostsAndProjects() throws SQLException {
        // Then
        try (Connection allHosts = app("*", "");
                Connection tenant = tenantConnection();
                Connection host = app(HOST.toString(), "*")) {
            for (Guarded table : tables) {
                assertTrue(count(allHosts, table, table.foreign()) > 0, table.name() + " has such rows");
                assertTrue(count(tenant, table, "true") > 0, table.name() + " has rows of its own");
                assertEquals(0, count(tenant, table, table.foreign()), table.name());
                assertEquals(0, count(host, table, "host_id <> '" + HOST + "'"), table.name());
                assertTrue(
                        !table.hasProject() || count(host, table, "project_id = '" + OTHER_PROJECT + "'") > 0,
                        table.name() + " to somebody who may see all projects");
            }
        }
    }

    @Test
    @Tag("I112")
    void connectionsWithoutATenantReadNoRows() throws SQLException {
        try (Connection withoutTenant = connect(database.app());
                Connection empty = app("", "");
                Connection noProject = app(HOST.toString(), "")) {
            for (Guarded table : tables) {
                assertEquals(0, count(withoutTenant, table, "true"), table.name());
                assertEquals(0, count(empty, table, "true"), table.name());
                assertTrue(!table.hasProject() || count(noProject, table, "true") == 0, table.name());
            }
        }
    }

    @Test
    @Tag("I112")
    @Tag("W1")
    void rejectsWritesForAnotherTenant() throws SQLException {
        // Then
        try (Connection tenant = tenantConnection();
                Connection withoutTenant = connect(database.app())) {
            for (Guarded table : tables) {
                String into =
                        "INSERT INTO " + table.name() + (table.hasProject() ? " (host_id, project_id)" : " (host_id)");
                assertRefused(tenant, into + values(table, OTHER_HOST, PROJECT));
                assertRefused(withoutTenant, into + values(table, HOST, PROJECT));
                if (table.hasProject()) {
                    assertRefused(tenant, into + values(table, HOST, OTHER_PROJECT));
                }
                if (isTrue(tenant, "has_table_privilege('" + table.name() + "', 'UPDATE')")) {
                    String set = "UPDATE " + table.name() + " SET host_id = ";
                    assertRefused(tenant, set + "'" + OTHER_HOST + "'");
                    assertEquals(0, run(tenant, set + "host_id WHERE " + table.foreign()), table.name());
                }
                if (isTrue(tenant, "has_table_privilege('" + table.name() + "', 'DELETE')")) {
                    assertEquals(0, run(tenant, "DELETE FROM " + table.name() + " WHERE " + table.foreign()));
                }
            }
        }
    }

    private static String values(Guarded table, UUID host, UUID project) {
        return table.hasProject() ? " VALUES ('%s', '%s')".formatted(host, project) : " VALUES ('%s')".formatted(host);
    }

    @Test
    void reportsNoWeaknessOfTheApplicationRole() throws SQLException {
        // Given
        DatabaseLogin superuser = TestInfra.superuser(database);
        var exempt = new DatabaseLogin(superuser.url(), "exempt", "of the test");
        String name = superuser.url().substring(superuser.url().lastIndexOf('/') + 1);
        try (Connection connection = connect(superuser)) {
            run(connection, "CREATE ROLE exempt LOGIN BYPASSRLS PASSWORD 'of the test'");
            run(connection, "GRANT CONNECT ON DATABASE " + name + " TO exempt");
        }

        // Then
        assertEquals(List.of(), weaknesses(database.app()));
        for (DatabaseLogin login : List.of(superuser, exempt)) {
            List<String> found = weaknesses(login);
            assertEquals(1, found.size(), found.toString());
            assertTrue(
                    found.getFirst().contains("'" + login.user() + "', which is a superuser or has BYPASSRLS"),
                    found.toString());
        }
    }

    private static List<String> weaknesses(DatabaseLogin login) {
        return RowSecurityCheck.weaknesses(Database.of(Databases.single(login)));
    }

    @Test
    @Tag("I112")
    void applicationRoleCannotBypassPolicies() throws SQLException {
        try (Connection tenant = tenantConnection()) {
            assertTrue(isTrue(tenant, """
                bool_and(NOT rolsuper AND NOT rolbypassrls AND NOT rolcreaterole) FROM pg_roles
                WHERE pg_has_role(current_user, oid, 'MEMBER')\
                """));
            for (Guarded table : tables) {
                assertTrue(
                        isTrue(
                                tenant,
                                "NOT pg_has_role(current_user, relowner, 'MEMBER') FROM pg_class WHERE oid = '"
                                        + table.name() + "'::regclass"),
                        table.name());
                assertRefused(tenant, "ALTER TABLE " + table.name() + " DISABLE ROW LEVEL SECURITY");
                assertRefused(tenant, "ALTER TABLE " + table.name() + " NO FORCE ROW LEVEL SECURITY");
                assertRefused(tenant, "DROP POLICY tenant ON " + table.name());
                assertRefused(tenant, "CREATE POLICY more ON " + table.name() + " USING (true)");
                assertRefused(tenant, "TRUNCATE " + table.name());
            }
            run(tenant, "SET row_security = off");
            assertRefused(tenant, "SELECT * FROM " + tables.getFirst().name());
        }
    }
}
