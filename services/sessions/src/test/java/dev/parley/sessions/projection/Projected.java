package dev.parley.sessions.projection;

import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.projection.MovedException;
import dev.parley.sessions.TestViews;
import dev.parley.sessions.projection.ViewStore.Move;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Events in the views, without a topic. */
public final class Projected {
    private Projected() {}

    /** Writes a batch; no event of it may be refused. */
    public static void into(Database views, List<TurnEvent> events) {
        write(views, new ViewStore("none"), events, new TreeMap<>());
    }

    /** Writes all events that stand on a topic, and that they are written. */
    public static void from(TestViews views, List<TurnEvent> events) {
        var moves = new TreeMap<Integer, Move>();
        events.forEach(event -> moves.merge(
                TestViews.partition(event), new Move(0, 1), (before, one) -> new Move(0, before.next() + 1)));
        write(views.app(), new ViewStore(views.topic().name()), events, moves);
    }

    private static void write(Database views, ViewStore store, List<TurnEvent> events, Map<Integer, Move> moves) {
        try (Connection connection = views.begin(Tenant.ALL)) {
            store.watermarks(connection, moves.keySet());
            var written = store.write(connection, events, moves);
            if (!written.rejected().isEmpty()) {
                throw new AssertionError(written.rejected());
            }
            connection.commit();
        } catch (SQLException | MovedException e) {
            throw new IllegalStateException(e);
        }
    }
}
