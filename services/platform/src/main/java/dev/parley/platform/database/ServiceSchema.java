package dev.parley.platform.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * The Postgres schema of a service, created by the migrations in {@code db/migration/{name}}. A migration that creates
 * a table with a host adds a row policy: {@code ${ofProject}} is its condition if the table has a project, otherwise
 * {@code ${ofHost}}.
 *
 * @param name of the schema and its folder of migrations
 * @param lock number of the advisory lock held during a migration; unique for each schema
 */
public record ServiceSchema(String name, long lock) {
    /** The migration of another instance may take any time. */
    private static final Duration UNLIMITED = Duration.ZERO;

    /**
     * Migrates the schema. Of several instances one does it, while the others wait.
     *
     * @param owner logs in as the role that owns the tables
     * @param appRole an existing role that gets read and write access
     * @throws IllegalStateException if Postgres does not answer or a migration fails, which is rolled back
     */
    public void migrate(DataSource owner, String appRole) {
        var exclusive = new AdvisoryLock(lock);
        try (Connection holder = owner.getConnection()) {
            exclusive.take(holder, UNLIMITED);
            try {
                migrations(owner, appRole).load().migrate();
            } finally {
                exclusive.release(holder);
            }
        } catch (SQLException | FlywayException e) {
            throw new IllegalStateException("the schema " + name + " could not be migrated: " + e.getMessage(), e);
        }
    }

    FluentConfiguration migrations(DataSource owner, String appRole) {
        return Flyway.configure(ServiceSchema.class.getClassLoader())
                .dataSource(owner)
                .schemas(name)
                .locations("classpath:db/migration/" + name)
                .callbacks(new MigrationAccess(), new TenantWarning(name))
                .placeholders(Map.of("appRole", appRole, "ofHost", Tenant.OF_HOST, "ofProject", Tenant.OF_PROJECT))
                .cleanDisabled(true);
    }
}
