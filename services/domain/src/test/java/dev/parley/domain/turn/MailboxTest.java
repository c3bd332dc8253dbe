package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Outcome.Disposition;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MailboxTest {
    private final SessionFixture session = new SessionFixture();

    @Test
    void editsOfACollectedMessageAreBounded() {
        // Given a collecting message, while another one is processed
        session.says("first");
        UUID collecting = session.says("part", MailboxMode.COLLECT);

        // When
        UUID last = collecting;
        for (int i = 0; i < FixedDefinitions.LIMITS.maxQueued() + 1; i++) {
            last = session.takes(
                    new TurnCommand.ReviseTurn(session.newMeta(), collecting, List.of(Block.text("edit " + i))));
        }

        // Then
        session.refuses(last, "queue_full");
        assertTrue(session.state().queue().getFirst().content().size() <= FixedDefinitions.LIMITS.maxQueued() + 1);
    }

    @Test
    @Tag("P8")
    @Tag("I120")
    void messagesWaitAndAreAnsweredInOrder() {
        // Given
        var first = session.says("one");
        var second = session.says("two");
        var third = session.says("three");
        session.waiting(second, third);

        // When
        session.modelAnswers("1");
        session.modelAnswers("2");
        session.modelAnswers("3");

        // Then
        session.replies("1", "2", "3");
        assertEquals(
                List.of(1L, 2L, 3L),
                List.of(
                        session.finished(first).turnSeq(),
                        session.finished(second).turnSeq(),
                        session.finished(third).turnSeq()));
    }

    @Test
    @Tag("I120")
    void aWaitingTurnKnowsItsNumberAndPlace() {
        // Given
        session.says("one");
        session.says("two");

        // When
        var third = session.accepted(session.says("three"));

        // Then
        assertEquals(Disposition.QUEUED, third.disposition());
        assertEquals(3L, third.turnSeq());
        assertEquals(2, third.position());
    }

    @Test
    @Tag("I44")
    void aMessageToAnIdleSessionStartsAtOnce() {
        // When
        var turn = session.accepted(session.says("hi"));

        // Then
        assertEquals(Disposition.STARTED, turn.disposition());
        assertEquals(1L, turn.turnSeq());
        assertEquals(0, turn.position());
    }

    @Test
    void aSteeringMessageJoinsWhileTheModelRuns() {
        // Given
        var turn = session.says("find it");

        // When
        var steering = session.accepted(session.says("in red", MailboxMode.STEER));
        session.modelAnswers("here it is");

        // Then
        assertEquals(turn, steering.turnId());
        assertEquals(List.of("user: find it", "assistant: here it is", "user: in red"), session.shown());
        assertEquals(List.of("here it is"), session.delivered(Reply.Kind.MESSAGE));
        session.modelAnswers("and here in red");
        session.replies("and here in red");
    }

    @Test
    void aSteeringMessageJoinsAfterTheResultsOfRunningTools() {
        // Given
        session.says("find it");
        session.modelCalls(SessionFixture.call("c1", "search", "{}"));

        // When
        session.says("in red", MailboxMode.STEER);
        session.toolAnswers("c1", "found");

        // Then
        assertEquals(
                List.of("user: find it", "assistant: search(c1)", "tool: c1: found", "user: in red"), session.shown());
    }

    @Test
    void aSteeringMessageAtTheLastStepBecomesATurnOfItsOwn() {
        // Given
        session.limitedTo(
                new Agent.Limits(1, Duration.ofMinutes(5), 3, null, null, 40, 10, 50, Agent.Limits.SKILL_TOKENS));
        session.says("one");

        // When
        var steering = session.says("two", MailboxMode.STEER);
        session.modelAnswers("1");

        // Then
        session.isActive(steering);
        assertEquals(List.of("user: one", "assistant: 1", "user: two"), session.shown());
    }

    @Test
    void aSteeringMessageIsNotLostWhenTheTurnFails() {
        // Given
        session.says("one");
        session.says("two", MailboxMode.STEER);

        // When
        session.modelFails(ErrorCategory.AUTH);
        session.says("three");

        // Then
        assertEquals(List.of("user: one", "user: two", "user: three"), session.shown());
    }

    @Test
    void collectsMessagesUntilTheDebounceTimeEnds() {
        // Given
        var turn = session.says("one", MailboxMode.COLLECT);
        session.after(Duration.ofMillis(400));

        // When
        var second = session.accepted(session.says("two", MailboxMode.COLLECT));
        session.after(Duration.ofMillis(400));
        session.waiting(turn);
        session.after(Duration.ofMillis(100));

        // Then
        session.isActive(turn);
        assertEquals(Disposition.COLLECTED, second.disposition());
        assertEquals(List.of("user: one two"), session.shown());
    }

    @Test
    void messagesForAnotherAgentAreNotCollectedIntoTheSameTurn() {
        // Given
        var first = session.says("one", MailboxMode.COLLECT);

        // When
        var second = session.saysTo("alpha", "two", MailboxMode.COLLECT);

        // Then
        session.waiting(first, second);
    }

    @Test
    void cancellingACollectingTurnLetsTheNextOneStart() {
        // Given
        var collecting = session.says("one", MailboxMode.COLLECT);
        var next = session.says("two");
        session.waiting(collecting, next);

        // When
        session.cancels(collecting);

        // Then
        session.isActive(next);
    }

    @Test
    void anInterruptTakesThePlaceOfTheActiveTurn() {
        // Given
        var first = session.says("one");
        var waiting = session.says("two");

        // When
        var urgent = session.says("stop that", MailboxMode.INTERRUPT);
        session.modelAnswers("I was about to");

        // Then
        assertEquals(TurnState.CANCELLED, session.finished(first).state());
        session.isActive(urgent);
        session.waiting(waiting);
    }

    @Test
    void interruptsKeepTheirOrderAmongThemselves() {
        // Given
        session.says("one");

        // When
        var first = session.says("urgent", MailboxMode.INTERRUPT);
        var second = session.says("urgent too", MailboxMode.INTERRUPT);

        // Then
        session.waiting(first, second);
    }

    @Test
    void aMessageThatMustNotWaitIsRefused() {
        // Given
        session.says("one");

        // When
        var refused = session.says("two", MailboxMode.REJECT);

        // Then
        session.refuses(refused, "session_busy");
        session.waiting();
    }

    @Test
    void rejectsMessagesBeyondTheQueueLimit() {
        // Given
        session.limitedTo(
                new Agent.Limits(5, Duration.ofMinutes(5), 3, null, null, 40, 10, 2, Agent.Limits.SKILL_TOKENS));
        session.says("active");
        session.says("one");
        session.says("two");
        session.says("joins", MailboxMode.STEER);
        session.says("joins", MailboxMode.STEER);

        // When
        var third = session.says("three");
        var steering = session.says("joins", MailboxMode.STEER);

        // Then
        session.refuses(third, "queue_full");
        session.refuses(steering, "queue_full");
    }

    @Test
    @Tag("K18")
    void anEmptyMessageIsRefused() {
        // When
        var empty = session.says(" ");

        // Then
        session.refuses(empty, "empty_message");
    }

    @Test
    @Tag("I45")
    void anArchivedSessionTakesTurnsAgainWhenItIsReopened() {
        // Given
        session.exchanges("hi", "hello");
        session.changes(TurnCommand.Change.ARCHIVE);
        session.refuses(session.says("still there?"), "session_archived");

        // When
        session.changes(TurnCommand.Change.REOPEN);
        session.exchanges("and now?", "yes");

        // Then
        session.replies("hello", "yes");
    }

    @Test
    void aDeletedSessionKeepsNothingAndBeginsAnew() {
        // Given
        session.exchanges("hi", "hello");
        session.resets(TurnCommand.Reset.MARK, "a");
        session.exchanges("more", "yes");
        session.resets(TurnCommand.Reset.REWIND, "a");

        // When
        session.changes(TurnCommand.Change.DELETE);

        // Then
        assertEquals(java.util.Map.of(), session.entries());
        session.says("hi again");
        assertEquals(1, session.state().open().epoch());
        assertEquals(List.of("user: hi again"), session.shown());
    }

    @Test
    void aWaitingTurnWhoseAgentIsGoneIsAnsweredByTheDefaultOne() {
        // Given
        session.says("one");
        session.saysTo("alpha", "two", MailboxMode.FOLLOWUP);
        session.agentIsGone("alpha");

        // When
        session.modelAnswers("1");

        // Then
        assertEquals(Agent.DEFAULT, session.asked().agent().name());
        assertEquals(Agent.DEFAULT, session.state().running().turn().agent());
    }

    @Test
    @Tag("P42")
    void editReplacesAWaitingMessage() {
        // Given
        session.says("one");
        UUID waiting = session.says("tow");

        // When
        session.takes(new TurnCommand.ReviseTurn(session.newMeta(), waiting, List.of(Block.text("two"))));
        session.modelAnswers("1");

        // Then
        session.isActive(waiting);
        assertEquals("user: two", session.shown().getLast());
    }

    @Test
    @Tag("P42")
    void editOfARunningTurnIsShownToTheModel() {
        // Given
        UUID turn = session.says("search for cats");
        session.modelCalls(SessionFixture.call("c", "search", "{}"));

        // When
        session.takes(new TurnCommand.ReviseTurn(session.newMeta(), turn, List.of(Block.text("search for dogs"))));
        session.toolAnswers("c", "found");

        // Then
        assertTrue(
                session.shown().getLast().contains("search for dogs"),
                session.shown().toString());
        session.modelAnswers("dogs");
        session.refuses(
                session.takes(new TurnCommand.ReviseTurn(session.newMeta(), turn, List.of(Block.text("birds")))),
                "turn_finished");
    }

    @Test
    void editOfACollectedMessageKeepsTheOthers() {
        // Given
        UUID collecting = session.says("one", MailboxMode.COLLECT);
        session.says("two", MailboxMode.COLLECT);

        // When
        session.takes(new TurnCommand.ReviseTurn(session.newMeta(), collecting, List.of(Block.text("eins"))));
        session.after(TurnMachine.DEBOUNCE);

        // Then
        assertEquals(List.of("user: one two I meant to write:\n eins"), session.shown());
    }

    @Test
    void ignoresAnEditWithoutChanges() {
        // Given
        UUID turn = session.says("search for cats");
        session.modelCalls(SessionFixture.call("c", "search", "{}"));
        UUID waiting = session.says("and dogs");
        int events = session.eventCount();

        // When
        session.takes(new TurnCommand.ReviseTurn(session.newMeta(), turn, List.of(Block.text("search for cats"))));
        session.takes(new TurnCommand.ReviseTurn(session.newMeta(), waiting, List.of(Block.text("and dogs"))));

        // Then
        assertEquals(events, session.eventCount());
    }

    @Test
    void messagesOfOtherUsersDoNotJoinATurn() {
        // Given
        UUID first = session.says("one");
        UUID collects = session.says("two", MailboxMode.COLLECT);

        // When
        UUID steers = session.othersSay("three", MailboxMode.STEER);
        UUID collected = session.othersSay("four", MailboxMode.COLLECT);

        // Then
        session.isActive(first);
        session.waiting(collects, steers, collected);
        session.refuses(session.othersRevise(first, "something else"), "unknown_turn");
        session.refuses(session.othersRevise(collects, "something else"), "unknown_turn");
        session.modelAnswers("1");
        session.after(TurnMachine.DEBOUNCE);
        assertEquals(List.of("user: one", "assistant: 1", "user: two"), session.shown());
    }
}
