package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.origin.ReplyAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DelegationTest {
    private final SessionFixture session = new SessionFixture();
    private final SessionFixture alpha = session.child("alpha");

    @Test
    @Tag("P28")
    @Tag("P29")
    void aTaskIsGivenToAnotherAgentAndItsAnswerComesBack() {
        // Given
        session.says("ask alpha");
        session.modelCalls(SessionFixture.delegate("a", "alpha", "count"));

        // When
        alpha.modelAnswers("three");

        // Then
        assertEquals(List.of("user: count"), alpha.shown());
        assertEquals(List.of("user: ask alpha", "assistant: delegate(a)", "tool: a: three"), session.shown());
        assertEquals(session.state().open().sessionId(), alpha.state().open().parentSessionId());
    }

    @Test
    @Tag("P39")
    void filesOfADelegateAreSentToTheTopChat() {
        // Given
        session.says("ask alpha");
        session.modelCalls(SessionFixture.delegate("a", "alpha", "draw"));
        var beta = alpha.child("beta");
        alpha.modelCalls(SessionFixture.delegate("b", "beta", "draw"));
        var drawing = new Block.File("drawing.png", "image/png", 3, "00ff", null, null);

        // When
        beta.modelAnswers(FinishReason.STOP, Block.text("drawn"), drawing);

        // Then
        Reply sent = beta.replies(Reply.Kind.MESSAGE).getLast();
        assertEquals(List.of(drawing), sent.files());
        assertEquals(new ReplyAddress("bot", "chat", null, null), sent.to());
        assertEquals(List.of(), beta.replies(Reply.Kind.FINAL), "its words are for the agent above");
        alpha.modelAnswers("it is drawn");
        session.modelAnswers("done");
        session.replies("done");
    }

    @Test
    @Tag("P31")
    void twoAgentsWorkAtOnceAndAnswerInCallOrder() {
        // Given
        session.says("ask both");
        session.modelCalls(SessionFixture.delegate("a", "alpha", "one"), SessionFixture.delegate("b", "beta", "two"));

        // When
        session.child("beta").modelAnswers("2");
        alpha.modelAnswers("1");

        // Then
        assertEquals(List.of("tool: a: 1", "tool: b: 2"), session.shown().subList(2, 4));
    }

    @Test
    @Tag("P32")
    void twoTasksForTheSameAgentAreDoneOneAfterTheOther() {
        // Given
        session.says("ask twice");
        session.modelCalls(SessionFixture.delegate("a", "alpha", "one"), SessionFixture.delegate("b", "alpha", "two"));
        assertEquals(List.of("user: one"), alpha.shown());

        // When
        alpha.modelAnswers("1");
        assertEquals(List.of("user: one", "assistant: 1", "user: two"), alpha.shown());
        alpha.modelAnswers("2");

        // Then
        assertEquals(List.of("tool: a: 1", "tool: b: 2"), session.shown().subList(2, 4));
    }

    @Test
    @Tag("P32")
    void freshDelegatesHaveSessionsOfTheirOwn() {
        // Given
        session.says("ask twice");

        // When
        session.modelCalls(
                SessionFixture.delegateFresh("a", "alpha", "one"), SessionFixture.delegateFresh("b", "alpha", "two"));

        // Then
        assertEquals(List.of("user: one"), session.child("alpha~1").shown());
        assertEquals(List.of("user: two"), session.child("alpha~2").shown());
    }

    @Test
    void aFreshDelegateIsFreshInANewSessionToo() {
        // Given
        session.says("ask");
        session.modelCalls(SessionFixture.delegateFresh("a", "alpha", "one"));
        session.resets(TurnCommand.Reset.NEW);
        session.says("ask");

        // When
        session.modelCalls(SessionFixture.delegateFresh("a", "alpha", "two"));

        // Then
        assertEquals(List.of("user: two"), session.child("alpha~2").shown());
    }

    @Test
    @Tag("P33")
    void delegationGoesThreeLevelsDeep() {
        // Given
        session.says("go down");
        session.modelCalls(SessionFixture.delegate("a", "alpha", "down"));
        var beta = alpha.child("beta");
        var gamma = beta.child("gamma");
        alpha.modelCalls(SessionFixture.delegate("b", "beta", "down"));
        beta.modelCalls(SessionFixture.delegate("c", "gamma", "down"));

        // When
        gamma.modelCalls(SessionFixture.delegate("d", "delta", "down"));

        // Then
        assertTrue(gamma.shown().getLast().contains("at most 3 levels"));
        assertNull(gamma.child("delta").state().session());
        gamma.modelAnswers("bottom");
        beta.modelAnswers("2");
        alpha.modelAnswers("1");
        session.modelAnswers("0");
        session.replies("0");
    }

    @Test
    @Tag("P33")
    void aCycleIsRefused() {
        // Given
        session.says("go round");
        session.modelCalls(SessionFixture.delegate("a", "alpha", "ask back"));

        // When
        alpha.modelCalls(SessionFixture.delegate("b", Agent.DEFAULT, "again"));

        // Then
        assertTrue(alpha.shown().getLast().contains("error: the agent 'default' is already at work above you"));
    }

    @Test
    @Tag("P36")
    void anUnknownAgentIsAnErrorThatNamesTheKnownOnes() {
        // Given
        session.says("ask nobody");

        // When
        session.modelCalls(SessionFixture.delegate("a", "nobody", "count"));

        // Then
        assertEquals(
                "tool: a: error: there is no agent 'nobody' to delegate to; there are alpha, beta, delta, gamma",
                session.shown().getLast());
    }

    @Test
    @Tag("P35")
    void offersDelegationOnlyIfThereIsAnotherAgent() {
        // Given
        List.of("alpha", "beta", "gamma", "delta").forEach(session::agentIsGone);

        // When
        session.says("hi");

        // Then
        assertEquals(
                List.of("search", "write", "message", "todo_write", "todo_read", "remind", "reminders"),
                session.asked().tools().stream().map(ToolSpec::name).toList());
    }

    @Test
    void aRefusedTaskIsAnErrorToTheAgentThatGaveIt() {
        // Given
        session.says("ask");
        session.modelCalls(SessionFixture.delegate("a", "alpha", "one"));
        alpha.modelAnswers("1");
        alpha.changes(TurnCommand.Change.ARCHIVE);

        // When
        session.modelCalls(SessionFixture.delegate("b", "alpha", "two"));

        // Then
        assertEquals(
                "tool: b: error: the session is archived; reopen it first",
                session.shown().getLast());
    }

    @Test
    void aCancelledTurnCancelsItsDelegates() {
        // Given
        session.says("ask twice");
        session.modelCalls(SessionFixture.delegate("a", "alpha", "one"), SessionFixture.delegate("b", "alpha", "two"));

        // When
        session.cancels(null);
        alpha.after(Duration.ofSeconds(2));

        // Then
        session.isIdle();
        alpha.isIdle();
        assertEquals(2, alpha.events(TurnEvent.TurnCancelled.class).size());
    }

    @Test
    void aCancelledDelegateIsAnErrorToTheAgentThatGaveTheTask() {
        // Given
        session.says("ask");
        session.modelCalls(SessionFixture.delegate("a", "alpha", "one"));

        // When
        alpha.cancels(null);
        alpha.after(Duration.ofSeconds(2));

        // Then
        assertEquals(
                "tool: a: error: the agent's turn was cancelled",
                session.shown().getLast());
    }

    @Test
    @Tag("P30")
    void messageOfADelegateIsNotDelivered() {
        // Given
        session.says("ask");
        session.modelCalls(SessionFixture.delegate("a", "alpha", "one"));

        // When
        alpha.modelCalls(SessionFixture.call("m", "message", "{\"text\":\"working\"}"));

        // Then
        assertEquals("tool: m: working", alpha.shown().getLast());
        assertEquals(List.of(), alpha.effects(TurnEffect.DeliverReply.class));
        assertEquals(List.of(), session.effects(TurnEffect.DeliverReply.class));
    }
}
