package dev.parley.sessions.projection;

import dev.parley.domain.turn.TurnEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** Events in the views, without a topic. */
public final class Projected {
    private Projected() {}

    /** Writes a batch; no event of it may be refused. */
    public static void into(DataSource views, List<TurnEvent> events) {
        try (Connection connection = views.getConnection()) {
            connection.setAutoCommit(false);
            var written = new ViewStore("none").write(connection, events, Map.of());
            if (!written.rejected().isEmpty()) {
                throw new AssertionError(written.rejected());
            }
            connection.commit();
        } catch (SQLException | ViewStore.Moved e) {
            throw new IllegalStateException(e);
        }
    }
}
