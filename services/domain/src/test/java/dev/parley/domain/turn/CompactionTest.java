package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnEvent;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CompactionTest {
    private final SessionFixture session = new SessionFixture();

    @BeforeEach
    void limits() {
        session.limitedTo(
                new Agent.Limits(5, Duration.ofMinutes(5), 3, null, null, 20, 5, 50, Agent.Limits.SKILL_TOKENS));
    }

    private void exchanges(int from, int to) {
        for (int i = from; i <= to; i++) {
            session.exchanges("q" + i, "a" + i);
        }
    }

    private CallResult.ModelAnswered summary(String text) {
        return session.answer(session.askedForSummary(), FinishReason.STOP, Block.text(text));
    }

    @Test
    @Tag("P5")
    void oldTurnsAreReplacedByASummary() {
        // Given
        exchanges(1, 20);

        // When
        CallResult.ModelAnswered answer = summary("fifteen turns");
        session.take(answer);
        session.says("q21");

        // Then
        var summarised = session.events(TurnEvent.Summarised.class).getLast();
        assertEquals(answer.provider(), summarised.provider());
        assertEquals(answer.model(), summarised.model());
        assertEquals("fifteen turns", session.asked().summary());
        assertEquals(15, session.state().context().summaryUpTo());
        assertEquals(11, session.shown().size());
        assertEquals("user: q16", session.shown().getFirst());
    }

    @Test
    @Tag("P5")
    @Tag("P6")
    void aLongChatIsSummarisedAgainAndAgain() {
        // Given
        for (int turn = 1; turn <= 60; turn++) {
            session.exchanges("q" + turn, "a" + turn);
            if (session.state().summary() != null) {
                assertEquals(
                        session.state().context().summary(),
                        session.askedForSummary().summary());
                session.take(summary("up to " + turn));
            }
        }

        // When
        session.says("q61");

        // Then
        assertEquals(3, session.summariesAsked());
        assertEquals("up to 50", session.asked().summary());
        assertEquals(45, session.state().context().summaryUpTo());
        assertEquals(60, session.events(TurnEvent.TurnCompleted.class).size());
    }

    @Test
    @Tag("P6")
    void summaryKeepsTheRunningTurn() {
        // Given
        exchanges(1, 20);
        session.says("q21");
        session.modelCalls(SessionFixture.call("a", "search", "{}"));

        // When
        session.take(summary("fifteen turns"));
        session.toolAnswers("a", "found");

        // Then
        assertEquals(
                List.of("user: q21", "assistant: search(a)", "tool: a: found"),
                session.shown().subList(10, 13));
        assertEquals("fifteen turns", session.asked().summary());
    }

    @Test
    @Tag("P6")
    void discardsASummaryOfAClearedContext() {
        // Given
        exchanges(1, 20);
        var lateSummary = summary("fifteen turns");
        session.resets(Reset.CLEAR);

        // When
        session.take(lateSummary);
        session.says("q21");

        // Then
        assertNull(session.asked().summary());
        assertEquals(List.of("user: q21"), session.shown());
    }

    @Test
    void rewindRestoresTheSummaryOfTheMark() {
        // Given
        exchanges(1, 20);
        session.take(summary("first"));
        session.resets(Reset.MARK, "here");
        exchanges(21, 35);
        session.take(summary("second"));

        // When
        session.resets(Reset.REWIND, "here");
        session.says("q36");

        // Then
        assertEquals("first", session.asked().summary());
        assertEquals("user: q16", session.shown().getFirst());
    }

    @Test
    void aFailedSummaryIsTriedAgainLaterUnderAnotherId() {
        // Given
        exchanges(1, 20);
        var first = session.askedForSummary();
        session.take(session.failure(first, ErrorCategory.INVALID_REQUEST));
        exchanges(21, 21);
        assertEquals(1, session.summariesAsked());

        // When
        session.after(Duration.ofMinutes(1));
        exchanges(22, 22);

        // Then
        assertEquals(2, session.summariesAsked());
        assertNotEquals(first.callId(), session.askedForSummary().callId());
    }

    @Test
    void aSummaryThatNeverEndsIsGivenUp() {
        // Given
        exchanges(1, 20);
        var request = session.askedForSummary();

        // When
        for (int i = 0; i < 130; i++) {
            session.take(new CallResult.CallProgress(request.callId(), 1, "worker"));
            session.after(Duration.ofSeconds(5));
        }

        // Then
        assertNull(session.state().summary());
    }

    @Test
    void anEmptySummaryReplacesNothing() {
        // Given
        exchanges(1, 20);

        // When
        session.take(summary(" "));

        // Then
        assertEquals(20, session.state().context().turns().size());
        assertNull(session.state().summary());
    }

    @Test
    void aSessionBeyondItsBudgetIsNotSummarised() {
        // Given
        session.limitedTo(
                new Agent.Limits(5, Duration.ofMinutes(5), 3, 1_300L, null, 3, 1, 50, Agent.Limits.SKILL_TOKENS));

        // When
        exchanges(1, 3);

        // Then
        assertEquals(0, session.summariesAsked());
        session.limitedTo(
                new Agent.Limits(5, Duration.ofMinutes(5), 3, 2_000L, null, 3, 1, 50, Agent.Limits.SKILL_TOKENS));
        exchanges(4, 4);
        assertEquals(1, session.summariesAsked());
    }

    @Test
    void aRequestThatIsTooLongIsMadeAgainWithASummaryOfTheOlderHalf() {
        // Given
        exchanges(1, 4);
        session.says("q5");

        // When
        session.modelFails(ErrorCategory.CONTEXT_TOO_LONG);
        session.take(summary("the first two"));

        // Then
        assertEquals("the first two", session.asked().summary());
        assertEquals("user: q3", session.shown().getFirst());
        assertEquals("user: q5", session.shown().getLast());
        session.modelAnswers("a5");
        session.replies("a1", "a2", "a3", "a4", "a5");
    }

    @Test
    void retriesASummaryAfterATransientFailure() {
        // Given
        exchanges(1, 4);
        session.says("q5");
        session.modelFails(ErrorCategory.CONTEXT_TOO_LONG);

        // When
        session.take(session.failure(session.askedForSummary(), ErrorCategory.OVERLOADED));
        session.after(Duration.ofSeconds(2));

        // Then
        assertEquals(2, session.summariesAsked());
        session.take(summary("the first two"));
        assertEquals("the first two", session.asked().summary());
    }

    @Test
    void discardsATruncatedSummary() {
        // Given
        exchanges(1, 20);

        // When
        session.take(session.answer(session.askedForSummary(), FinishReason.LENGTH, Block.text("fifteen tu")));
        session.says("q21");

        // Then
        assertNull(session.asked().summary());
    }

    @Test
    void aRequestThatIsTooLongByItselfEndsTheTurn() {
        // Given
        session.says("q1");

        // When
        session.modelFails(ErrorCategory.CONTEXT_TOO_LONG);

        // Then
        assertEquals(1, session.events(TurnEvent.TurnFailed.class).size());
        assertEquals(0, session.summariesAsked());
    }

    @Test
    void aRequestThatIsTooLongEndsTheTurnWhenThereIsNoSummary() {
        // Given
        exchanges(1, 4);
        session.says("q5");
        session.modelFails(ErrorCategory.CONTEXT_TOO_LONG);

        // When
        session.take(session.failure(session.askedForSummary(), ErrorCategory.INVALID_REQUEST));

        // Then
        assertEquals(
                ErrorCategory.CONTEXT_TOO_LONG,
                session.events(TurnEvent.TurnFailed.class).getLast().category());
    }
}
