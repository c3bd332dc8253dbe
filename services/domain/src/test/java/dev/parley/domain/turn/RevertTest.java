package dev.parley.domain.turn;

import static dev.parley.domain.turn.SessionFixture.call;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RevertTest {
    private static final String NOTHING = "{\"restored\":[],\"left\":[]}";

    private final SessionFixture session = new SessionFixture();

    private UUID exchange(String text, String answer) {
        UUID turn = session.says(text);
        session.modelAnswers(answer);
        return turn;
    }

    @Test
    @Tag("I108")
    void revertsToATurnAndRestoresTheLaterOnes() {
        // Given
        UUID one = exchange("one", "1");
        UUID two = exchange("two", "2");
        UUID three = exchange("three", "3");

        // When
        UUID back = session.resets(Reset.REVERT, one.toString());

        // Then
        assertEquals(
                "{\"takeBack\":[\"%s\",\"%s\"]}".formatted(two, three),
                session.revertAsked().arguments());
        assertEquals(List.of(), session.told(back), "nobody is told before the files are there");

        // When
        session.filesAre(NOTHING);

        // Then
        assertEquals(NOTHING, ((Outcome.Reverted) session.told(back).getFirst()).files());

        // When
        UUID call = session.revertAsked().callId();
        session.resets(Reset.UNREVERT);
        session.filesAre(NOTHING);

        // Then
        assertEquals(
                "{\"bringBack\":[\"%s\"]}".formatted(call),
                session.revertAsked().arguments());
        session.says("four");
        assertEquals(
                List.of(
                        "user: one",
                        "assistant: 1",
                        "user: two",
                        "assistant: 2",
                        "user: three",
                        "assistant: 3",
                        "user: four"),
                session.shown());
    }

    @Test
    @Tag("I108")
    void newTurnMakesARevertFinal() {
        // Given
        UUID one = exchange("one", "1");
        exchange("two", "2");
        session.resets(Reset.REVERT, one.toString());
        session.filesAre(NOTHING);

        // When
        exchange("other", "3");

        // Then
        session.refuses(session.resets(Reset.UNREVERT), "nothing_to_unrevert");
        session.says("more");
        assertEquals(
                List.of("user: one", "assistant: 1", "user: other", "assistant: 3", "user: more"), session.shown());
    }

    @Test
    void revertsTurnsOneByOneAndRestoresThemTogether() {
        // Given
        exchange("one", "1");
        exchange("two", "2");
        session.resets(Reset.REVERT);
        session.filesAre(NOTHING);
        UUID first = session.revertAsked().callId();
        session.resets(Reset.REVERT);
        session.filesAre(NOTHING);
        UUID second = session.revertAsked().callId();

        // When
        UUID third = session.resets(Reset.REVERT);
        session.resets(Reset.UNREVERT);

        // Then
        session.refuses(third, "nothing_to_revert");
        assertEquals(
                "{\"bringBack\":[\"%s\",\"%s\"]}".formatted(second, first),
                session.revertAsked().arguments());
        session.filesAre(NOTHING);
        session.says("three");
        assertEquals(List.of("user: one", "assistant: 1", "user: two", "assistant: 2", "user: three"), session.shown());
    }

    @Test
    void noTurnBeginsBeforeTheFilesArePutBack() {
        // Given
        exchange("one", "1");
        session.resets(Reset.REVERT);

        // When
        UUID next = session.says("two");

        // Then
        session.waiting(next);
        session.refuses(session.resets(Reset.UNREVERT), "session_busy");

        // When
        session.filesAre(NOTHING);

        // Then
        session.isActive(next);
        assertEquals(List.of("user: two"), session.shown());
    }

    @Test
    void aLostCallIsMadeAgainAndGivenUpInTheEnd() {
        // Given
        exchange("one", "1");
        UUID back = session.resets(Reset.REVERT);
        UUID call = session.revertAsked().callId();

        // When
        session.after(TurnMachine.LEASE);

        // Then
        assertEquals(2, session.revertAsked().attempt());
        assertEquals(call, session.revertAsked().callId());

        // When
        session.after(Duration.ofMinutes(2));

        // Then
        var reverted = (Outcome.Reverted) session.told(back).getFirst();
        assertFalse(reverted.isDone());
        assertTrue(reverted.files().contains("not put back in time"), reverted.files());
        assertNull(session.state().reverting());
        session.isActive(session.says("two"));
    }

    @Test
    void revertCancelsRunningAndWaitingTurns() {
        // Given
        UUID one = exchange("one", "1");
        UUID two = session.says("two");
        UUID three = session.says("three");

        // When
        session.resets(Reset.REVERT, one.toString());

        // Then
        assertEquals(TurnState.CANCELLED, session.finished(two).state());
        assertEquals(TurnState.CANCELLED, session.finished(three).state());
        assertEquals(
                "{\"takeBack\":[\"%s\"]}".formatted(two), session.revertAsked().arguments());
    }

    @Test
    void rejectsARevertToATurnOutsideTheContext() {
        // Given
        UUID one = exchange("one", "1");
        session.resets(Reset.CLEAR);
        UUID two = exchange("two", "2");

        // Then
        session.refuses(session.resets(Reset.REVERT, one.toString()), "unknown_turn");
        session.refuses(session.resets(Reset.REVERT, "the beginning"), "unknown_turn");
        session.refuses(session.resets(Reset.REVERT, two.toString()), "nothing_to_revert");
        session.refuses(session.resets(Reset.UNREVERT), "nothing_to_unrevert");
    }

    @Test
    void forkCannotRevertCopiedTurns() {
        // Given
        exchange("one", "1");
        SessionFixture copy = session.other("web:2");
        session.forksTo(copy);

        // Then
        copy.refuses(copy.resets(Reset.REVERT), "nothing_to_revert");
    }

    @Test
    void forkRevertsItsOwnTurnsDespiteEqualNumbers() {
        // Given
        exchange("one", "1");
        exchange("two", "2");
        exchange("three", "3");
        SessionFixture copy = session.other("web:2");
        session.forksTo(copy);
        UUID ownTurn = copy.says("own one");
        copy.modelAnswers("4");
        UUID last = copy.says("own two");
        copy.modelAnswers("5");

        // When
        copy.resets(Reset.REVERT);

        // Then
        assertEquals(
                "{\"takeBack\":[\"%s\"]}".formatted(last), copy.revertAsked().arguments());
        copy.filesAre(NOTHING);
        copy.resets(Reset.REVERT);
        assertEquals(
                "{\"takeBack\":[\"%s\"]}".formatted(ownTurn), copy.revertAsked().arguments());
        copy.filesAre(NOTHING);
        copy.says("own three");
        assertEquals(
                List.of(
                        "user: one",
                        "assistant: 1",
                        "user: two",
                        "assistant: 2",
                        "user: three",
                        "assistant: 3",
                        "user: own three"),
                copy.shown());
    }

    @Test
    void retriesAFailedCallAndFinallyGivesUp() {
        // Given
        exchange("one", "1");
        UUID back = session.resets(Reset.REVERT);

        // When
        failRevert();
        session.after(Duration.ofSeconds(3));

        // Then
        assertEquals(2, session.revertAsked().attempt());
        assertEquals(List.of(), session.told(back));

        // When
        failRevert();
        session.after(Duration.ofSeconds(3));
        failRevert();

        // Then
        assertFalse(((Outcome.Reverted) session.told(back).getFirst()).isDone());
    }

    private void failRevert() {
        ToolRequest request = session.revertAsked();
        session.take(new CallResult.ToolAnswered(
                request.callId(), request.attempt(), ToolStatus.ERROR, "error: the database is away"));
    }

    @Test
    void markDoesNotMakeARevertFinal() {
        // Given
        exchange("one", "1");
        exchange("two", "2");
        session.resets(Reset.REVERT);
        session.filesAre(NOTHING);

        // When
        session.resets(Reset.MARK, "here");
        session.resets(Reset.UNREVERT);
        session.filesAre(NOTHING);

        // Then
        session.resets(Reset.REWIND, "here");
        session.says("three");
        assertEquals(List.of("user: one", "assistant: 1", "user: three"), session.shown());
    }

    @Test
    void toolRequestOfADelegateNamesTheTopTurn() {
        // Given
        UUID turn = session.says("one");
        session.modelCalls(SessionFixture.delegate("d", "alpha", "do it"));
        SessionFixture alpha = session.child("alpha");
        alpha.modelCalls(SessionFixture.delegate("e", "beta", "do it"));
        SessionFixture beta = alpha.child("beta");

        // When
        beta.modelCalls(call("w", "write", "{}"));

        // Then
        assertEquals(turn, beta.toolRequest("w").top());
    }
}
