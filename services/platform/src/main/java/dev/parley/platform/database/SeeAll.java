package dev.parley.platform.database;

import java.sql.SQLException;
import java.sql.Statement;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/** Lets migrations see all hosts: policies hold for the owner of the tables as well. */
final class SeeAll implements Callback {
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
        try (Statement statement = context.getConnection().createStatement()) {
            statement.execute("SET app.host = '*'");
        } catch (SQLException e) {
            throw new IllegalStateException("the database does not take settings: " + e.getMessage(), e);
        }
    }

    @Override
    public String getCallbackName() {
        return "see all hosts";
    }
}
