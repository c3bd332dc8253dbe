package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.domain.protocol.TurnCommand.ChangeSession;
import dev.parley.domain.session.SessionState;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Erasure removes the whole state of a session, and late records do not restore it. */
class EraseTest {
    private final SessionFixture session = new SessionFixture();

    private UUID erase() {
        return session.changes(Change.ERASE);
    }

    @Test
    @Tag("O10")
    void erasureLeavesNoTextInTheState() {
        // Given
        session.says("my secret is amber");
        session.modelAnswers("I remember amber");

        // When
        erase();

        // Then
        SessionState state = session.state();
        assertFalse(state.toString().contains("amber"), state.toString());
        assertFalse(state.exists());
        assertNull(state.open().channelId());
        assertEquals(state.context().first(), state.context().next(), "an entry is kept");
    }

    @Test
    @Tag("O10")
    void rejectsADuplicateOfAnErasedMessage() {
        // Given
        var message = session.message("my secret is amber", MailboxMode.FOLLOWUP, null);
        UUID turn = session.takes(message);
        session.modelAnswers("I remember amber");
        erase();

        // When
        session.take(message);

        // Then
        assertTrue(session.told(turn).getLast() instanceof Outcome.Refused refused
                && refused.code().equals("erased"));
        assertFalse(session.state().exists());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ann", "default"})
    @Tag("O10")
    void rejectsLateCommandsOfAnErasedUserOrProject(String erased) {
        // Given
        session.says("my secret is amber");
        session.modelAnswers("I remember amber");
        var lateMessage = session.message("amber again", MailboxMode.FOLLOWUP, null);

        // When
        session.isErased(erased);
        erase();
        UUID submitted = session.takes(lateMessage);
        UUID opened = session.changes(Change.OPEN);

        // Then
        for (UUID command : List.of(submitted, opened)) {
            assertTrue(session.told(command).getLast() instanceof Outcome.Refused refused
                    && refused.code().equals("erased"));
        }
        assertFalse(session.state().exists());
        assertFalse(session.state().toString().contains("amber"));
    }

    @Test
    void erasureEndsTheRunningTurn() {
        // Given
        session.says("my secret is amber");

        // When
        erase();
        session.modelAnswers("too late");

        // Then
        session.isIdle();
        assertFalse(session.state().exists());
    }

    @Test
    void laterMessageStartsANewSession() {
        // Given
        session.says("one");
        session.modelAnswers("1");
        UUID before = session.state().open().sessionId();
        erase();

        // When
        session.says("two");
        session.modelAnswers("2");

        // Then
        session.replies("1", "2");
        assertFalse(before.equals(session.state().open().sessionId()));
        assertEquals(1, session.state().open().epoch());
    }

    @Test
    void erasesADeletedSession() {
        // Given
        session.says("one");
        session.modelAnswers("1");
        session.changes(Change.DELETE);

        // When
        UUID erasure = erase();

        // Then
        assertTrue(session.told(erasure).getFirst() instanceof Outcome.Accepted);
    }

    @Test
    void rejectsTheConditionalErasureOfAChangedSession() {
        // Given
        session.says("one");
        session.modelAnswers("1");
        long seenSeq = session.state().lastSeq();
        session.says("two");
        session.modelAnswers("2");

        // When
        UUID erasure = session.takes(
                new ChangeSession(session.newMeta(), Change.ERASE, null, null, null, "api", null, seenSeq));

        // Then
        session.refuses(erasure, "session_changed");
        assertTrue(session.state().exists());
    }
}
