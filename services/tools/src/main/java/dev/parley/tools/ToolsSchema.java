package dev.parley.tools;

import dev.parley.platform.embedded.EmbeddedPostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** The Postgres schema {@value #NAME}: the ledger of the tools service, by migrations of its own. */
public final class ToolsSchema {
    /** The schema that all tables of this service stand in. */
    public static final String NAME = "tools";

    /** Held by whoever migrates, so that others wait. */
    private static final long MIGRATION_LOCK = 0x5041_5253_4d49_4702L;

    private ToolsSchema() {}

    /** As {@link #migrate(DataSource, String)}, for the role {@value EmbeddedPostgresServer#APP_ROLE}. */
    public static void migrate(DataSource owner) {
        migrate(owner, EmbeddedPostgresServer.APP_ROLE);
    }

    /**
     * Brings the schema up to date. Several instances may do so at once: one does it, the others wait.
     *
     * @param owner logs in as the role that owns the tables
     * @param appRole an existing role that may read and write them, and owns nothing
     * @throws IllegalStateException when Postgres does not answer or a migration fails; nothing of that one remains
     */
    public static void migrate(DataSource owner, String appRole) {
        try (Connection lock = owner.getConnection()) {
            advisory(lock, "SELECT pg_advisory_lock(?)");
            try {
                flyway(owner, appRole).migrate();
            } finally {
                advisory(lock, "SELECT pg_advisory_unlock(?)");
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the schema " + NAME + " could not be migrated: " + e.getMessage(), e);
        }
    }

    private static Flyway flyway(DataSource owner, String appRole) {
        return Flyway.configure(ToolsSchema.class.getClassLoader())
                .dataSource(owner)
                .schemas(NAME)
                .locations("classpath:db/migration/tools")
                .placeholders(Map.of("appRole", appRole))
                .cleanDisabled(true)
                .load();
    }

    private static void advisory(Connection connection, String sql) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            statement.setLong(1, MIGRATION_LOCK);
            statement.execute();
        }
    }
}
