package dev.parley.sessions.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.kafka.TopicEnds;
import dev.parley.platform.testkit.EveryProject;
import dev.parley.platform.testkit.Repositories;
import dev.parley.sessions.Chat;
import dev.parley.sessions.TestViews;
import dev.parley.sessions.projection.Projected;
import io.micronaut.http.HttpStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reads during another transaction. A read that must wait times out, which fails these tests. */
final class ReadersIT {
    private final TestViews infrastructure = new TestViews();
    private final TopicEnds ends =
            new TopicEnds(infrastructure.clients(), infrastructure.topic(), Duration.ofSeconds(30));
    private final Repositories repositories =
            Repositories.of(infrastructure.database().app());
    private final Views views = new Views(repositories.database(), ends);
    private final SessionRows rows = repositories.bean(SessionRows.class);
    private final Sessions sessions = new Sessions(views, rows);
    private final PartRows parts = repositories.bean(PartRows.class);
    private final Messages texts = new Messages(repositories.bean(MessageRows.class), parts);
    private final Caller caller = Caller.installation(new EveryProject());
    private final Chat chat = new Chat("web:read").open("Before").turn("how many zebras", "three zebras");

    @BeforeEach
    void project() {
        Projected.into(infrastructure.app(), chat.events());
    }

    @AfterEach
    void stop() {
        ends.close();
        repositories.close();
        infrastructure.close();
    }

    private Connection open(String... statements) throws SQLException {
        Connection connection = Database.of(infrastructure.owner()).begin(Tenant.ALL);
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
        return connection;
    }

    /** Each kind of read returns the committed rows only. */
    private void assertAllIsRead() {
        assertEquals("Before", sessions.find(caller, null, "web:read").title());
        var listed = new SessionReadController(views, sessions, rows)
                .list(null, null, null, null, null, null, null, null, null, caller);
        assertEquals(1, listed.data().size());
        var messages = new MessageReadController(views, sessions, texts)
                .list(null, "web:read", null, null, null, null, null, null, null, caller);
        assertEquals(2, messages.data().size());
        var turns = new TurnReadController(
                        views, sessions, repositories.bean(TurnRows.class), repositories.bean(FeedbackRows.class))
                .list(null, "web:read", null, null, null, null, caller);
        assertEquals("three zebras", turns.data().getFirst().reply());
        assertEquals(
                2,
                new SearchController(views, parts)
                        .search(null, "zebras", null, null, null, caller)
                        .data()
                        .size());
    }

    @Test
    @Tag("I117")
    void aLongWriteDoesNotBlockReaders() throws SQLException {
        // Given
        try (Connection writing = open(
                """
                INSERT INTO sessions.agent_message_t (host_id, project_id, session_id, message_id, turn_id, seq, position, role,
                  created_ts, aggregate_version, update_ts, update_user)
                SELECT host_id, project_id, session_id, md5('m' || i)::uuid, NULL, 0, 1000 + i, 'user', now(), 1, now(), 'x'
                FROM sessions.agent_session_t, generate_series(1, 20000) i""",
                "UPDATE sessions.agent_session_t SET title = 'After'",
                "UPDATE sessions.agent_turn_t SET reply = 'changed'",
                "DELETE FROM sessions.agent_message_part_t")) {
            // Then
            assertAllIsRead();
            writing.rollback();
        }
    }

    @Test
    @Tag("I117")
    void aMigrationOfAnotherTableDoesNotBlockReaders() throws SQLException {
        try (Connection migrating = open(
                "ALTER TABLE sessions.session_share_t ADD COLUMN more text NOT NULL DEFAULT ''",
                "CREATE INDEX more ON sessions.agent_message_t (role)",
                "CREATE TABLE sessions.more_t (host_id uuid NOT NULL REFERENCES sessions.host_t)")) {
            assertAllIsRead();
            migrating.rollback();
        }
    }

    @Test
    @Tag("I117")
    void blockedReadTimesOut() throws SQLException {
        try (Connection migrating = open("ALTER TABLE sessions.agent_session_t ADD COLUMN more text")) {
            var refused = assertThrows(ApiException.class, () -> sessions.find(caller, null, "web:read"));

            assertEquals(HttpStatus.SERVICE_UNAVAILABLE, refused.status());
            assertEquals("query_too_slow", refused.code());
            migrating.rollback();
        }
        assertAllIsRead();
    }
}
