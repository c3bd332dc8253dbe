package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.CallProgress;
import dev.parley.domain.protocol.CallResult.ModelFailed;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.TurnEvent;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ModelCallTest {
    private final SessionFixture session = new SessionFixture();

    @Test
    @Tag("I62")
    void repliesWithTheAnswerOfTheModel() {
        // Given
        session.says("hi");

        // When
        session.modelAnswers("hello");

        // Then
        session.replies("hello");
        session.isIdle();
    }

    @Test
    @Tag("I67")
    void aFailureIsTriedAgainLater() {
        // Given
        session.says("hi");

        // When
        session.modelFails(ErrorCategory.RATE_LIMIT);
        session.after(Duration.ofSeconds(2));
        session.modelAnswers("hello");

        // Then
        assertEquals(2, session.asked().attempt());
        session.replies("hello");
    }

    @Test
    @Tag("I67")
    void theProvidersWaitIsRespected() {
        // Given
        session.says("hi");
        var request = session.asked();

        // When
        session.take(new CallResult.ModelFailed(
                request.callId(), 1, ErrorCategory.OVERLOADED, "503", Duration.ofSeconds(30), List.of()));
        session.after(Duration.ofSeconds(29));

        // Then
        assertEquals(1, session.asked().attempt());
        session.after(Duration.ofSeconds(1));
        assertEquals(2, session.asked().attempt());
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCategory.class,
            names = {"AUTH", "INVALID_REQUEST", "CONTEXT_TOO_LONG", "CONTENT_FILTER"})
    @Tag("I67")
    void permanentErrorFailsTheTurnAtOnce(ErrorCategory category) {
        // Given
        var turn = session.says("hi");

        // When
        session.modelFails(category);

        // Then
        assertEquals(category, session.finished(turn).error());
        assertEquals(1, session.delivered(Reply.Kind.ERROR).size());
        assertFalse(session.finished(turn).reply().contains("detail"));
    }

    @Test
    @Tag("I67")
    void keepsThePartialAnswerOfAFailedCall() {
        // Given
        session.says("hi");

        // When
        session.take(session.failure(session.asked(), ErrorCategory.AUTH, Block.text("hel")));
        session.says("again");

        // Then
        assertEquals(List.of("user: hi", "assistant: hel", "user: again"), session.shown());
        assertTrue(session.shownMessages().get(1).interrupted());
    }

    @Test
    void theSameFailureTwiceCountsOnce() {
        // Given
        session.says("hi");
        var failure = session.failure(session.asked(), ErrorCategory.NETWORK);
        session.take(failure);
        int events = session.eventCount();

        // When
        session.take(failure);

        // Then
        assertEquals(events, session.eventCount());
    }

    @Test
    void rateLimitDoesNotCountAsAFailure() {
        // Given
        session.says("hi");

        // When
        for (int i = 0; i < 10; i++) {
            session.take(
                    new RetryAfter(session.asked().callId(), session.asked().attempt(), Duration.ofSeconds(20), "429"));
            session.after(Duration.ofSeconds(20));
        }
        session.modelFails(ErrorCategory.NETWORK);
        session.after(Duration.ofSeconds(2));
        session.modelAnswers("hello");

        // Then
        session.replies("hello");
    }

    @Test
    @Tag("B94")
    void anAnswerThatBreaksItsSchemaIsAskedForOnceMoreWithTheReason() {
        // Given
        UUID turn = session.says("hi");
        String prompt = session.asked().agent().prompt();

        // When
        session.modelFails(ErrorCategory.NETWORK);
        session.after(Duration.ofSeconds(2));
        breaksSchema("$.n: string found, integer expected <<<" + "x".repeat(5_000));

        // Then
        String told = session.asked().agent().prompt();
        assertTrue(told.startsWith(prompt) && told.contains("$.n: string found, integer expected"), told);
        assertTrue(told.length() < prompt.length() + 2_000, told);
        assertEquals(List.of("user: hi"), session.shown());

        // When
        breaksSchema("$: it is no JSON");

        // Then
        assertEquals(ErrorCategory.INVALID_REQUEST, session.finished(turn).error());
        session.says("again");
        assertEquals(prompt, session.asked().agent().prompt());
    }

    @Test
    @Tag("B94")
    void theReasonIsToldAgainWhereAWorkerIsLost() {
        // Given
        session.says("hi");
        breaksSchema("$.n: missing");

        // When
        session.after(TurnMachine.LEASE);

        // Then
        String told = session.asked().agent().prompt();
        assertEquals(3, session.asked().attempt());
        assertTrue(told.contains("$.n: missing"), told);
        session.modelAnswers("{}");
        session.replies("{}");
    }

    @Test
    @Tag("B94")
    void nobodyIsAskedAThirdTime() {
        // Given
        UUID turn = session.says("hi");

        // When
        breaksSchema("$.n: missing");
        breaksSchema("$.n: missing");

        // Then
        assertEquals(ErrorCategory.INVALID_REQUEST, session.finished(turn).error());
    }

    private void breaksSchema(String reason) {
        session.take(new ModelFailed(
                session.asked().callId(),
                session.asked().attempt(),
                ErrorCategory.INVALID_ANSWER,
                reason,
                Duration.ZERO,
                List.of()));
        session.after(Duration.ZERO);
    }

    @Test
    @Tag("I68")
    void retriesTheCallOfALostWorkerAfterItsLease() {
        // Given
        session.says("hi");

        // When
        session.after(TurnMachine.LEASE);

        // Then
        assertEquals(2, session.asked().attempt());
        session.modelAnswers("hello");
        session.replies("hello");
    }

    @Test
    @Tag("I68")
    void failsTheTurnAfterTheLastLostAttempt() {
        // Given
        var turn = session.says("hi");

        // When
        session.after(TurnMachine.LEASE.multipliedBy(3));

        // Then
        assertEquals(ErrorCategory.LOST, session.finished(turn).error());
        session.isIdle();
    }

    @Test
    void progressExtendsTheLease() {
        // Given
        session.says("hi");

        // When
        for (int i = 0; i < 10; i++) {
            session.after(Duration.ofSeconds(4));
            session.take(new CallProgress(session.asked().callId(), 1, "worker"));
        }

        // Then
        assertEquals(1, session.asked().attempt());
    }

    @Test
    void theFirstAttemptMayStillAnswer() {
        // Given
        session.says("hi");
        var first = session.answer(session.asked(), FinishReason.STOP, Block.text("hello"));
        session.after(TurnMachine.LEASE);

        // When
        session.take(first);
        session.take(session.answer(session.asked(), FinishReason.STOP, Block.text("hello twice")));

        // Then
        session.replies("hello");
    }

    @Test
    @Tag("P14")
    void aTurnThatTakesTooLongFails() {
        // Given
        var turn = session.says("hi");
        session.modelCalls(SessionFixture.delegate("c1", "alpha", "think"));
        var child = session.child("alpha");
        child.take(new CallProgress(child.asked().callId(), 1, "worker"));

        // When
        for (int i = 0; i < 400; i++) {
            child.take(new CallProgress(child.asked().callId(), 1, "worker"));
            session.after(Duration.ofSeconds(5));
        }

        // Then
        assertEquals(ErrorCategory.TIMEOUT, session.finished(turn).error());
        session.isIdle();
        child.isIdle();
    }

    @Test
    @Tag("I64")
    void marksATruncatedAnswer() {
        // Given
        session.says("hi");

        // When
        session.modelAnswers(FinishReason.LENGTH, Block.text("hell"));

        // Then
        session.replies("hell\n(cut)");
    }

    @Test
    @Tag("I64")
    void aFilteredAnswerFailsAndItsCallsAreNotMade() {
        // Given
        var turn = session.says("hi");

        // When
        session.modelAnswers(
                FinishReason.CONTENT_FILTER, Block.text("well"), SessionFixture.call("c1", "search", "{}"));
        session.says("again");

        // Then
        assertEquals(ErrorCategory.CONTENT_FILTER, session.finished(turn).error());
        assertEquals(List.of("user: hi", "assistant: well", "user: again"), session.shown());
    }

    @Test
    void anEmptyAnswerLeavesNoEmptyMessage() {
        // Given
        session.says("hi");

        // When
        session.modelAnswers(FinishReason.STOP);
        session.says("again");

        // Then
        session.replies("");
        assertEquals(List.of("user: hi", "user: again"), session.shown());
    }

    @Test
    @Tag("P24")
    void sendsUnknownProviderItemsBackToTheModel() {
        // Given
        session.says("hi");
        var item = new Block.Raw(new ProviderItem("openai", "new_thing", "{\"type\":\"new_thing\"}"));

        // When
        session.modelAnswers(FinishReason.STOP, item, Block.text("hello"));
        session.says("again");

        // Then
        assertEquals(
                List.of(item, Block.text("hello")),
                session.shownMessages().get(1).blocks());
    }

    @Test
    void aTurnBeyondTheBudgetFailsAndStillHasBothOutcomes() {
        // Given
        session.limitedTo(
                new Agent.Limits(5, Duration.ofMinutes(5), 3, 1_100L, null, 40, 10, 50, Agent.Limits.SKILL_TOKENS));
        session.exchanges("hi", "hello");

        // When
        var turn = session.says("more");

        // Then
        assertEquals(ErrorCategory.BUDGET, session.finished(turn).error());
        assertEquals(
                List.of(Outcome.Accepted.class, Outcome.Finished.class),
                session.told(turn).stream().map(Object::getClass).toList());
    }

    @Test
    @Tag("I76")
    void aTurnsUsageIsTheSumOfItsCalls() {
        // Given
        var turn = session.says("hi");
        session.modelCalls(SessionFixture.call("c1", "search", "{}"));
        session.toolAnswers("c1", "found");

        // When
        session.modelAnswers("hello");

        // Then
        assertEquals(200, session.finished(turn).usage().tokens());
        assertEquals(2, session.events(TurnEvent.ModelCalled.class).size());
    }
}
