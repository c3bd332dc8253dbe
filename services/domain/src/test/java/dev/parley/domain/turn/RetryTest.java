package dev.parley.domain.turn;

import static dev.parley.domain.turn.SessionFixture.call;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.Ids;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnEvent.TurnAccepted;
import dev.parley.domain.protocol.TurnEvent.TurnCancelled;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RetryTest {
    private final SessionFixture session = new SessionFixture();

    private UUID exchange(String text, String answer) {
        UUID turn = session.says(text);
        session.modelAnswers(answer);
        return turn;
    }

    private TurnAccepted accepted(UUID turn) {
        return session.events(TurnAccepted.class).stream()
                .filter(event -> turn.equals(event.meta().turnId()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Tag("I62")
    void retryDropsTheReplyAndLaterTurns() {
        // Given
        exchange("one", "1");
        UUID two = exchange("two", "2");
        exchange("three", "3");

        // When
        UUID retried = session.retries(Ids.message(two, 1));

        // Then
        session.isActive(retried);
        assertEquals(List.of("user: one", "assistant: 1", "user: two"), session.shown());
        assertEquals(two, accepted(retried).retryOf());

        // When
        session.modelAnswers("zwei");
        UUID third = session.retries(Ids.message(retried, 1));

        // Then
        assertEquals(List.of("user: one", "assistant: 1", "user: two"), session.shown());
        assertEquals(retried, accepted(third).retryOf());
    }

    @Test
    void retriesATurnWithToolsByItsLastMessage() {
        // Given
        UUID turn = session.says("look");
        session.modelCalls(call("a", "search", "{}"));
        session.toolAnswers("a", "found");
        session.modelAnswers("done");

        // When
        UUID retried = session.retries(Ids.message(turn, 3));

        // Then
        session.isActive(retried);
        assertEquals(List.of("user: look"), session.shown());
    }

    @Test
    void retryCancelsRunningAndWaitingTurns() {
        // Given
        UUID running = session.says("one");
        UUID waiting = session.says("two");

        // When
        UUID retried = session.retries(Ids.message(running, 1));

        // Then
        session.isActive(retried);
        assertEquals(
                List.of(running, waiting),
                session.events(TurnCancelled.class).stream()
                        .map(event -> event.meta().turnId())
                        .toList());
        assertEquals(List.of("user: one"), session.shown());
    }

    @Test
    void rejectsRetriesOfUnknownMessagesAndInArchivedSessions() {
        // Given
        UUID one = exchange("one", "1");
        UUID two = exchange("two", "2");

        // When
        session.resets(Reset.UNDO);

        // Then
        session.refuses(session.retries(Ids.message(two, 1)), "unknown_message");
        session.refuses(session.retries(Ids.message(one, 0)), "unknown_message");
        session.refuses(session.retries(UUID.randomUUID()), "unknown_message");

        // When
        session.changes(Change.ARCHIVE);

        // Then
        session.refuses(session.retries(Ids.message(one, 1)), "session_archived");
        assertEquals(2, session.events(TurnAccepted.class).size());
    }

    @Test
    void rejectsARetryInAnUnknownSession() {
        session.refuses(session.retries(UUID.randomUUID()), "unknown_session");
    }
}
