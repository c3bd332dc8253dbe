package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CancelTest {
    private final SessionFixture session = new SessionFixture();

    @Test
    @Tag("P47")
    @Tag("K22")
    void keepsAPartialReplyMarkedAsInterrupted() {
        // Given
        var turn = session.says("tell me a story");
        session.cancels(null);

        // When
        session.modelAnswers(
                FinishReason.CANCELLED, Block.text("Once upon"), SessionFixture.call("c1", "search", "{}"));
        session.says("what was that?");

        // Then
        assertEquals(TurnState.CANCELLED, session.finished(turn).state());
        assertEquals(List.of("Once upon"), session.delivered(Reply.Kind.CANCELLED));
        assertEquals(List.of("user: tell me a story", "assistant: Once upon", "user: what was that?"), session.shown());
        assertTrue(session.shownMessages().get(1).interrupted());
    }

    @Test
    @Tag("P47")
    void endsACancelledTurnWithinTwoSecondsWithoutAnAnswer() {
        // Given
        var turn = session.says("hi");
        session.cancels(turn);

        // When
        session.after(Duration.ofSeconds(2));

        // Then
        assertEquals(TurnState.CANCELLED, session.finished(turn).state());
        assertEquals(1, session.effects(TurnEffect.CancelModel.class).size());
        session.isIdle();
    }

    @Test
    void cancelledTurnDoesNotRetryItsModelCall() {
        // Given
        session.says("hi");
        session.after(TurnMachine.LEASE.minusMillis(500));
        session.cancels(null);

        // When
        session.after(Duration.ofSeconds(2)); // the lease expires before the model's last result is due

        // Then
        assertEquals(1, session.events(TurnEvent.ModelRequested.class).size());
        session.isIdle();
    }

    @Test
    void openToolCallsOfACancelledTurnGetAResult() {
        // Given
        session.says("do both");
        session.modelCalls(SessionFixture.call("c1", "search", "{}"), SessionFixture.call("c2", "write", "{}"));
        var lateCall = session.toolRequest("c1");
        session.toolAnswers("c2", "written");

        // When
        session.cancels(null);
        session.take(new CallResult.ToolAnswered(lateCall.callId(), 1, ToolStatus.COMPLETED, "too late"));
        session.says("and now?");

        // Then
        assertEquals(
                List.of(
                        "user: do both",
                        "assistant: search(c1) write(c2)",
                        "tool: c1: error: the turn was cancelled",
                        "tool: c2: written",
                        "user: and now?"),
                session.shown());
        assertEquals(1, session.effects(TurnEffect.CancelTool.class).size());
    }

    @Test
    @Tag("I120")
    void aWaitingTurnIsCancelledWithoutTouchingTheOthers() {
        // Given
        var active = session.says("one");
        var unwanted = session.says("two");
        var last = session.says("three");

        // When
        session.cancels(unwanted);

        // Then
        session.isActive(active);
        session.waiting(last);
        assertEquals(TurnState.CANCELLED, session.finished(unwanted).state());
    }

    @Test
    void rejectsCancellingAnEndedOrUnknownTurn() {
        // Given
        var endedTurn = session.says("hi");
        session.modelAnswers("hello");
        var refusedTurn = session.says(" ");

        // When
        var cancelEnded = session.cancels(endedTurn);
        var cancelRefused = session.cancels(refusedTurn);
        var cancelNone = session.cancels(null);

        // Then
        session.refuses(cancelEnded, "turn_finished");
        session.refuses(cancelRefused, "unknown_turn");
        session.refuses(cancelNone, "no_active_turn");
    }

    @Test
    @Tag("P46")
    void newSessionCancelsRunningAndWaitingTurns() {
        // Given
        var active = session.says("one");
        var waiting = session.says("two");

        // When
        session.resets(TurnCommand.Reset.NEW);
        session.says("hi");

        // Then
        assertEquals(TurnState.CANCELLED, session.finished(active).state());
        assertEquals(TurnState.CANCELLED, session.finished(waiting).state());
        assertEquals(1, session.state().open().epoch());
        assertEquals(1, session.state().running().turn().seq());
        assertEquals(List.of("user: hi"), session.shown());
    }

    @Test
    void aLateAnswerOfAnOlderEpochChangesNothing() {
        // Given
        session.says("one");
        var lateAnswer = session.answer(session.asked(), FinishReason.STOP, Block.text("1"));
        session.resets(TurnCommand.Reset.NEW);
        session.says("two");

        // When
        session.take(lateAnswer);

        // Then
        session.replies();
        session.modelAnswers("2");
        session.replies("2");
    }
}
