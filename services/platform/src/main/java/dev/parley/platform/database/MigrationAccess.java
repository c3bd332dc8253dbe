package dev.parley.platform.database;

import java.sql.SQLException;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/** Gives migrations access to all hosts: row policies also apply to the owner. */
final class MigrationAccess implements Callback {
    @Override
    public boolean supports(Event event, Context context) {
        return event == Event.AFTER_CONNECT;
    }

    @Override
    public boolean canHandleInTransaction(Event event, Context context) {
        return true;
    }

    @Override
    public void handle(Event event, Context context) {
        try (var statement = context.getConnection().createStatement()) {
            statement.execute("SET app.host = '*'");
        } catch (SQLException e) {
            throw new FlywayException("the migration could not set its tenant", e);
        }
    }

    @Override
    public String getCallbackName() {
        return "see all";
    }
}
