package dev.parley.platform.database;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Objects;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/**
 * Adds to each table with a tenant, after the migrations of its schema, a policy that warns whoever has not set the tenant.
 * Flyway would not run it as a script of the class path where a jar is on it twice.
 */
record TenantWarning(String schema) implements Callback {
    private static final String SCRIPT = "/db/sign_without_tenant.sql";

    @Override
    public boolean supports(Event event, Context context) {
        return event == Event.AFTER_MIGRATE;
    }

    @Override
    public boolean canHandleInTransaction(Event event, Context context) {
        return true;
    }

    @Override
    public void handle(Event event, Context context) {
        try (InputStream script = Objects.requireNonNull(TenantWarning.class.getResourceAsStream(SCRIPT), SCRIPT);
                var statement = context.getConnection().createStatement()) {
            String sql = new String(script.readAllBytes(), StandardCharsets.UTF_8);
            statement.execute(sql.replace("SCHEMA", schema));
        } catch (IOException | SQLException e) {
            throw new FlywayException("the warning for queries without a tenant could not be added", e);
        }
    }

    @Override
    public String getCallbackName() {
        return "warn without tenant";
    }
}
