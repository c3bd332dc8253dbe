package dev.parley.sessions.projection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.database.Digest;
import dev.parley.sessions.Chat;
import dev.parley.sessions.TestViews;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Repeated events change no row and no version. */
final class RepeatedEventsIT {
    private TestViews views;

    @BeforeEach
    void migrate() {
        views = new TestViews();
    }

    @AfterEach
    void close() {
        views.close();
    }

    private List<Object> versions() {
        return views.query("SELECT aggregate_version FROM sessions.agent_session_t").stream()
                .map(row -> row.get("aggregate_version"))
                .toList();
    }

    @Test
    @Tag("W2")
    void repeatedEventsChangeNothing() throws SQLException {
        // Given
        List<TurnEvent> events = new Chat("web:twice")
                .open("Once")
                .turn("hello", "hi")
                .say("add")
                .call("{}")
                .result(0, "7")
                .answer("7")
                .say("and this waits")
                .events();
        Projected.into(views.app(), events);
        Digest expected = SessionViewsReplay.digest(views.app());
        assertEquals(List.of(events.getLast().meta().seq()), versions());

        // When
        Projected.into(views.app(), events);

        // Then
        assertEquals(expected, SessionViewsReplay.digest(views.app()));

        // When each event is written alone, the last one first
        for (TurnEvent event : events.reversed()) {
            Projected.into(views.app(), List.of(event));
        }

        // Then
        assertEquals(expected, SessionViewsReplay.digest(views.app()));
        assertEquals(List.of(events.getLast().meta().seq()), versions());
    }
}
