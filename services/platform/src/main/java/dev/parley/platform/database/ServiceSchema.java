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
 * A service's own Postgres schema, made by the migrations in {@code db/migration/{name}}. A migration that makes a table of
 * hosts gives it a policy: {@code ${ofProject}} is the condition where it has a project, {@code ${ofHost}} where it has none.
 *
 * @param name of the schema and of its folder of migrations
 * @param lock number of the advisory lock that is held by whoever migrates it, so that others wait; one for each schema
 */
public record ServiceSchema(String name, long lock) {
    /** Another instance migrates, and may take as long as it needs. */
    private static final Duration FOR_EVER = Duration.ZERO;

    /**
     * Brings the schema up to date. Several instances may do so at once: one does it, the others wait.
     *
     * @param owner logs in as the role that owns the tables
     * @param appRole an existing role that may read and write them, and owns nothing
     * @throws IllegalStateException when Postgres does not answer or a migration fails; nothing of that one remains
     */
    public void migrate(DataSource owner, String appRole) {
        var exclusive = new AdvisoryLock(lock);
        try (Connection holder = owner.getConnection()) {
            exclusive.take(holder, FOR_EVER);
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
                .callbacks(new MigrationAccess())
                .placeholders(Map.of("appRole", appRole, "ofHost", Tenant.OF_HOST, "ofProject", Tenant.OF_PROJECT))
                .cleanDisabled(true);
    }
}
