package dev.parley.sessions.erasure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.erasure.ErasureRecord.Removed;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.testkit.Repositories;
import dev.parley.sessions.Chat;
import dev.parley.sessions.SessionKeyRows;
import dev.parley.sessions.TestViews;
import dev.parley.sessions.projection.Projected;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Erasures in the tables. */
class ErasuresIT {
    private static final Instant LONG_AGO = Instant.parse("2025-01-01T00:00:00Z");
    private static final String SHA = "ab".repeat(32);

    private TestViews views;
    private Repositories repositories;
    private Erasures erasures;

    @BeforeEach
    void start() {
        views = new TestViews();
        repositories = Repositories.of(views.database().app());
        erasures = new Erasures(
                repositories.database(), repositories.bean(ErasureRows.class), repositories.bean(SessionKeyRows.class));
    }

    @AfterEach
    void stop() {
        repositories.close();
        views.close();
    }

    private void project(Chat chat) {
        Projected.into(views.app(), chat.events());
    }

    private static List<Block> file() {
        return List.of(new Block.File("a.txt", "text/plain", 7, SHA, null, null));
    }

    private long count(String table) {
        return (long) views.value("SELECT count(*) FROM sessions." + table);
    }

    @Test
    @Tag("O10")
    void erasesAllRowsOfASessionAndNoOthers() {
        // Given a chat with an earlier session, another one, and the same file in both
        project(new Chat("web:stays")
                .turn("hi", "hello")
                .say(MailboxMode.FOLLOWUP, file())
                .answer("a file"));
        long messages = count("agent_message_t");
        long slugs = count("session_slug_t");
        var chat = new Chat("web:goes")
                .turn("one", "1")
                .reset(Reset.NEW, null)
                .say(MailboxMode.FOLLOWUP, file())
                .answer("a file");

        // When
        project(chat.change(Change.ERASE));

        // Then
        assertEquals(1, count("agent_session_t"));
        assertEquals(messages, count("agent_message_t"));
        assertEquals(slugs, count("session_slug_t"));
        ErasureRequest erasure = erasures.claim().getFirst();
        assertEquals(chat.key(), erasure.session());
        assertEquals(2, erasure.sessionIds().size());
        assertEquals(0, erasures.requestForDelegates(erasure));
        assertEquals(List.of(SHA), erasures.files(erasure));
        assertEquals(
                Optional.of(Set.of(SHA)),
                erasures.named(List.of(SHA, "cd".repeat(32))),
                "the other session has one of them");
    }

    @Test
    @Tag("O10")
    void erasureIncludesFilesOfRevisedAndUnusedMessages() {
        // Given a queued message that its sender replaced, and a message that its turn never used
        var chat = new Chat("web:revised").say("one").say(MailboxMode.FOLLOWUP, file());
        UUID waiting = chat.state().queue().getFirst().turnId();
        chat.revise(waiting, List.of(Block.text("two")));
        var steered = new Block.File("b.txt", "text/plain", 7, "cd".repeat(32), null, null);
        chat.say(MailboxMode.STEER, List.of(steered)).cancel();

        // When
        project(chat.change(Change.ERASE));

        // Then
        ErasureRequest erasure = erasures.claim().getFirst();
        assertEquals(Set.of(SHA, "cd".repeat(32)), Set.copyOf(erasures.files(erasure)));
        assertEquals(Optional.of(Set.of()), erasures.named(List.of(SHA)));
    }

    @Test
    void laterSessionOfTheSameKeyRemains() {
        // When both are in one batch
        project(new Chat("web:again").turn("one", "1").change(Change.ERASE).turn("two", "2"));

        // Then
        assertEquals(1, count("agent_session_t"));
        assertEquals("two", views.value("SELECT user_message FROM sessions.agent_turn_t"));
    }

    @Test
    void erasureIsDoneAfterAllServicesConfirmIt() {
        // Given
        project(new Chat("web:1").turn("one", "1").change(Change.ERASE));
        ErasureRequest erasure = erasures.claim().getFirst();

        // Then
        assertFalse(erasures.end(erasure, Duration.ofDays(1)));
        assertEquals(
                List.of("channels", "tools", "memory"),
                erasures.receipt(erasure.host(), erasure.id()).orElseThrow().waitingFor());

        // When
        erasures.removed(new Removed(erasure.id(), erasure.host(), "tools", 0, Instant.now()));
        assertFalse(erasures.end(erasure, Duration.ofDays(1)));
        erasures.removed(new Removed(erasure.id(), erasure.host(), "memory", 0, Instant.now()));
        assertFalse(erasures.end(erasure, Duration.ofDays(1)));
        erasures.removed(new Removed(erasure.id(), erasure.host(), "channels", 0, Instant.now()));

        // Then
        assertTrue(erasures.end(erasure, Duration.ofDays(1)));
        assertEquals(
                "done",
                erasures.receipt(erasure.host(), erasure.id()).orElseThrow().state());
        assertEquals(List.of(), erasures.claim());
    }

    @Test
    void requestsErasureOfIdleSessionsByRetention() {
        // Given
        project(new Chat("web:idle").at(LONG_AGO).turn("one", "1"));
        project(new Chat("web:busy")
                .at(LONG_AGO)
                .turn("one", "1")
                .reset(Reset.NEW, null)
                .at(Instant.now())
                .turn("two", "2"));

        // When
        UUID project = RecordKey.of("x").projectId();
        erasures.requestForIdle(Chat.HOST, project, Instant.now().minus(Duration.ofDays(30)));
        erasures.requestForIdle(Chat.HOST, project, Instant.now().minus(Duration.ofDays(30)));

        // Then
        List<ErasureRequest> claimed = erasures.claim();
        assertEquals(
                List.of("default/web:idle"),
                claimed.stream().map(ErasureRequest::subject).toList());
        assertEquals("retention", claimed.getFirst().requestedBy());
        assertTrue(claimed.getFirst().seq() > 0, "only while nothing more happens");
        assertEquals(List.of(), erasures.claim(), "it is taken up by one");
    }

    @Test
    void requestsErasureOfAllSessionsOfAUserOnce() {
        // Given
        project(new Chat("web:1").turn("one", "1"));
        project(new Chat("web:2").turn("one", "1"));
        String user = (String) views.value("SELECT min(user_id) FROM sessions.agent_session_t");
        UUID id = UUID.randomUUID();

        // When
        erasures.request(Chat.HOST, id, ErasureRequest.Kind.USER, user);
        ErasureRequest person = erasures.claim().getFirst();

        // Then
        assertEquals(2, erasures.requestForSessions(person));
        assertEquals(0, erasures.requestForSessions(person));
        assertFalse(erasures.end(person, Duration.ofDays(1)));
        assertEquals(
                List.of("sessions", "channels", "memory"),
                erasures.receipt(Chat.HOST, id).orElseThrow().waitingFor());
    }

    @Test
    void receiptsArePagedByTimeOfTheRequest() {
        // Given
        UUID first = UUID.randomUUID();
        UUID second = UUID.randomUUID();
        erasures.request(Chat.HOST, first, ErasureRequest.Kind.USER, "one");
        erasures.request(Chat.HOST, second, ErasureRequest.Kind.USER, "two");

        // When
        List<Receipt> all = erasures.receipts(Chat.HOST, null, 2, null);
        Receipt newest = all.getFirst();
        var after = new Cursor(newest.requestedAt().toString(), newest.id().toString());

        // Then
        assertEquals(List.of(second, first), all.stream().map(Receipt::id).toList());
        assertEquals(all.subList(1, 2), erasures.receipts(Chat.HOST, null, 2, after));
        assertEquals(List.of(), erasures.receipts(Chat.HOST, "somebody", 2, null));
    }
}
