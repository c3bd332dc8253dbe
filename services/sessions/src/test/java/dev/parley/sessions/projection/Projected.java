package dev.parley.sessions.projection;

import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.projection.MovedException;
import dev.parley.platform.projection.Watermarks;
import dev.parley.sessions.TestViews;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Events in the views, without a topic. */
public final class Projected {
    private Projected() {}

    /** Writes a batch; fails if an event is rejected. */
    public static void into(Database views, List<TurnEvent> events) {
        write(views, "none", events, Map.of());
    }

    /** Writes all events of a topic and advances its watermarks. */
    public static void from(TestViews views, List<TurnEvent> events) {
        var next = new TreeMap<Integer, Long>();
        events.forEach(event -> next.merge(TestViews.partition(event), 1L, Long::sum));
        write(views.app(), views.topic().name(), events, next);
    }

    private static void write(Database views, String topic, List<TurnEvent> events, Map<Integer, Long> next) {
        var watermarks = new Watermarks(topic, "sessions.projection_offset_t");
        try (Connection connection = views.begin(Tenant.ALL)) {
            watermarks.read(connection, next.keySet());
            ViewStore.requireNoReplay(connection);
            watermarks.move(connection, next);
            var result = new ViewStore().write(connection, events);
            if (!result.rejected().isEmpty()) {
                throw new AssertionError(result.rejected());
            }
            connection.commit();
        } catch (SQLException | MovedException e) {
            throw new IllegalStateException(e);
        }
    }
}
