package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OutcomeTest {
    private final SessionFixture session = new SessionFixture();

    @Test
    @Tag("P14")
    void reportsAcceptanceAndEndOfATurn() {
        // Given
        var turn = session.says("hi");

        // When
        session.modelAnswers("hello");

        // Then
        assertEquals(
                List.of(Outcome.Accepted.class, Outcome.Finished.class),
                session.told(turn).stream().map(Object::getClass).toList());
        assertEquals("hello", session.finished(turn).reply());
    }

    @Test
    void aDuplicateOfARunningTurnWaitsForItsEndToo() {
        // Given
        SubmitTurn message = session.message("hi", MailboxMode.FOLLOWUP, null);
        session.takes(message);

        // When
        session.takes(fromOtherPartition(message));
        session.modelAnswers("hello");

        // Then
        var turn = session.finished(message.meta().commandId());
        assertEquals(List.of(1, 7), partitionsOf(turn));
        session.replies("hello");
    }

    @Test
    void duplicateOfAnEndedTurnGetsItsOutcome() {
        // Given
        SubmitTurn message = session.message("hi", MailboxMode.FOLLOWUP, null);
        session.takes(message);
        session.modelAnswers("hello");

        // When
        session.takes(fromOtherPartition(message));

        // Then
        assertEquals(List.of(1, 7), partitionsOf(session.finished(message.meta().commandId())));
        session.replies("hello");
        session.isIdle();
    }

    @Test
    void duplicateOfARejectedMessageGetsTheSameOutcome() {
        // Given
        SubmitTurn message = session.message(" ", MailboxMode.FOLLOWUP, null);
        session.takes(message);

        // When
        session.takes(message);

        // Then
        var outcomes = session.told(message.meta().commandId());
        assertEquals(2, outcomes.size());
        assertEquals(outcomes.getFirst(), outcomes.getLast());
    }

    @Test
    void steeringMessageGetsTheOutcomeOfItsTurn() {
        // Given
        var turn = session.says("one");
        SubmitTurn steering = session.message("two", MailboxMode.STEER, null);
        session.takes(fromOtherPartition(steering));

        // When
        session.modelAnswers("1");
        session.modelAnswers("2");

        // Then
        assertEquals(List.of(1, 7), partitionsOf(session.finished(turn)));
    }

    private List<Integer> partitionsOf(Outcome outcome) {
        return session.effects(TurnEffect.SendOutcome.class).stream()
                .filter(effect -> effect.outcome().equals(outcome))
                .map(TurnEffect.SendOutcome::partition)
                .toList();
    }

    private static SubmitTurn fromOtherPartition(SubmitTurn command) {
        CommandMeta meta = command.meta();
        return new SubmitTurn(
                new CommandMeta(meta.commandId(), meta.host(), meta.at(), meta.user(), 7, meta.trace()),
                command.origin(),
                command.originRef(),
                command.mode(),
                command.agent(),
                command.settings(),
                command.content(),
                command.channel(),
                command.channelId(),
                command.replyTo(),
                command.parent());
    }
}
