package dev.parley.sessions.projection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.database.Tenant;
import dev.parley.sessions.Chat;
import dev.parley.sessions.TestViews;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two instances project different partitions concurrently, one with an open batch. */
final class NeighboursIT {
    private static final Duration HANGS = Duration.ofSeconds(60);

    private TestViews views;

    @BeforeEach
    void migrate() {
        views = new TestViews();
    }

    @AfterEach
    void close() {
        views.close();
    }

    private static Chat chat(String project, String session) {
        return new Chat(new RecordKey(project, session))
                .turn("hello", "hi")
                .say("add")
                .call("{}")
                .result(0, "7")
                .answer("7");
    }

    private List<Object> keys() {
        return views.query("SELECT session_key FROM sessions.agent_session_t ORDER BY 1").stream()
                .map(row -> row.get("session_key"))
                .toList();
    }

    @Test
    @Tag("I113")
    void batchesOfDifferentProjectsDoNotBlockEachOther() throws Exception {
        // Given two projects with sessions, and an open batch that writes many more of one of them
        Projected.into(views.app(), chat("busy", "old").events());
        Projected.into(views.app(), chat("quiet", "old").events());
        var batch = new ArrayList<TurnEvent>();
        for (int i = 0; i < 100; i++) {
            batch.addAll(chat("busy", "new-" + i).events());
        }
        try (Connection busy = views.app().begin(Tenant.ALL)) {
            new ViewStore().write(busy, batch);

            // When sessions of another and of a new project are written, with the same words
            assertTimeoutPreemptively(
                    HANGS,
                    () -> Projected.into(views.app(), chat("quiet", "new").events()));
            assertTimeoutPreemptively(
                    HANGS,
                    () -> Projected.into(views.app(), chat("newer", "newest").events()));

            // Then
            assertEquals(List.of("new", "newest", "old", "old"), keys());
            busy.commit();
        }
        assertEquals(104, keys().size());
    }

    @Test
    void spreadsProjectsOverTheLocks() {
        var locks = new ArrayList<Integer>();
        for (int i = 0; i < 1_000; i++) {
            locks.add(Slugs.lock(RecordKey.projectId("project " + i)));
        }
        assertEquals(512, locks.stream().mapToInt(lock -> lock + 1).max().orElseThrow(), 12);
        assertEquals(512 * 0.86, (double) locks.stream().distinct().count(), 30, "as many as chance has it");
        for (String other : List.of("quiet", "newer")) { // otherwise the test above could not fail
            assertNotEquals(Slugs.lock(RecordKey.projectId("busy")), Slugs.lock(RecordKey.projectId(other)), other);
        }
    }
}
