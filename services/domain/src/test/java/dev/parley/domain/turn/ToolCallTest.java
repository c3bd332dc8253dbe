package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.CallOutcome;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.CallSettled;
import dev.parley.domain.protocol.TurnInput;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ToolCallTest {
    private final SessionFixture session = new SessionFixture();

    @Test
    @Tag("P37")
    void toolsRunAtOnceAndTheirResultsKeepTheOrderOfTheCalls() {
        // Given
        session.says("do all");
        session.modelCalls(
                SessionFixture.call("a", "search", "{}"),
                SessionFixture.call("b", "write", "{}"),
                SessionFixture.call("c", "search", "{\"q\":1}"));
        assertEquals(3, session.requests().count());

        // When
        session.toolAnswers("c", "3");
        session.toolAnswers("a", "1");
        session.toolAnswers("b", "2");

        // Then
        assertEquals(
                List.of(
                        "user: do all",
                        "assistant: search(a) write(b) search(c)",
                        "tool: a: 1",
                        "tool: b: 2",
                        "tool: c: 3"),
                session.shown());
    }

    /** The call id is the idempotency key of tools, because a lost step is repeated. */
    @Test
    @Tag("P14")
    void callIdDependsOnToolAndArguments() {
        // Given
        UUID search = firstCall("search", "{\"q\":1}");

        // When
        UUID other = firstCall("search", "{\"q\":2}");

        // Then
        assertNotEquals(search, other);
        assertNotEquals(search, firstCall("write", "{\"q\":1}"));
        assertEquals(search, firstCall("search", "{\"q\":1}"));
    }

    private static UUID firstCall(String tool, String arguments) {
        var life = new SessionFixture();
        life.says("do it");
        life.modelCalls(SessionFixture.call("a", tool, arguments));
        return life.toolRequest("a").callId();
    }

    @Test
    @Tag("P38")
    @Tag("K4")
    void anErrorGoesBackToTheModel() {
        // Given
        session.says("find it");
        session.modelCalls(SessionFixture.call("a", "search", "{}"));

        // When
        session.toolFails("a", "no such file");

        // Then
        var result =
                (Block.ToolResult) session.shownMessages().getLast().blocks().getFirst();
        assertEquals("error: no such file", result.content());
        assertTrue(result.isError());
        session.modelAnswers("it is not there");
        session.replies("it is not there");
    }

    @Test
    void settlesACallOfUnknownOutcomeAfterItsTurn() {
        // Given
        session.says("pay it");
        session.modelCalls(SessionFixture.call("a", "write", "{}"));
        UUID call = session.toolRequest("a").callId();
        session.take(new ToolAnswered(call, 1, ToolStatus.UNKNOWN, "error: outcome unknown"));
        session.modelAnswers("somebody has to look");
        int entries = session.shown().size();

        // When
        session.take(new CallResult.Settled(call, 1, CallOutcome.HAPPENED, "zoe", "seen"));

        // Then
        var settled = session.events(CallSettled.class).getLast();
        assertEquals(call, settled.callId());
        assertEquals(CallOutcome.HAPPENED, settled.outcome());
        assertEquals("zoe", settled.by());
        assertEquals("seen", settled.note());
        assertEquals(entries, session.shown().size(), "no model is told");

        // When
        var other = new SessionFixture();
        other.take(new CallResult.Settled(call, 1, CallOutcome.HAPPENED, "zoe"));

        // Then
        assertEquals(List.of(), other.events(CallSettled.class), "there is no session");
    }

    @Test
    @Tag("P34")
    void anUnknownToolIsAnErrorThatNamesTheKnownOnes() {
        // Given
        session.says("hi");

        // When
        session.modelCalls(SessionFixture.call("a", "fly", "{}"));

        // Then
        assertEquals(
                "tool: a: error: there is no tool 'fly'; there are search, write, message, todo_write, todo_read,"
                        + " remind, reminders, delegate",
                session.shown().getLast());
    }

    @Test
    @Tag("P34")
    void anAgentIsOfferedItsOwnToolsOnly() {
        // Given
        var agent = FixedDefinitions.agent(Agent.DEFAULT, AgentMode.ALL, FixedDefinitions.LIMITS);
        session.agentIs(new Agent(
                null,
                agent.name(),
                "2",
                "",
                agent.mode(),
                false,
                agent.provider(),
                agent.model(),
                null,
                agent.prompt(),
                List.of("write"),
                List.of(),
                null,
                null,
                null,
                ThinkingLevel.NONE,
                agent.limits(),
                Map.of(),
                List.of()));

        // When
        session.says("hi");

        // Then
        assertEquals(
                List.of("write"),
                session.asked().tools().stream().map(ToolSpec::name).toList());
        session.modelCalls(SessionFixture.call("a", "search", "{}"));
        assertTrue(session.shown().getLast().contains("there is no tool 'search'"));
    }

    @Test
    @Tag("K3")
    void argumentsReachTheToolAsTheyWereWritten() {
        // Given
        session.says("hi");

        // When
        session.modelCalls(
                SessionFixture.call("a", "search", "{ \"q\": not json"), SessionFixture.call("b", "search", ""));

        // Then
        assertEquals("{ \"q\": not json", session.toolRequest("a").arguments());
        assertEquals("{}", session.toolRequest("b").arguments());
    }

    @Test
    void safetyChecksOfACallRequestApproval() {
        // Given
        session.says("buy it");
        String arguments = """
            {"action":{"type":"click"},"pending_safety_checks":[{"id":"cu_1","code":"malicious","message":"Is it you?"},\
            {"id":"cu_2","code":null,"message":null},7]}\
            """;

        // When
        session.modelCalls(
                SessionFixture.call("a", "search", arguments),
                SessionFixture.call("b", "search", "{\"pending_safety_checks\":[{\"id\":\"cu_3\"}"),
                SessionFixture.call("c", "search", "{\"action\":{\"x\":[1]},\"pending_safety_checks\":[]}"));

        // Then
        assertEquals(1, session.requests().count());
        assertEquals(
                List.of("Is it you?; cu_2; a safety check", "cu_3"),
                session.events(TurnEvent.ApprovalRequested.class).stream()
                        .map(TurnEvent.ApprovalRequested::reason)
                        .toList());
    }

    @Test
    void callsWithTheSameIdEachHaveTheirResult() {
        // Given
        session.says("hi");

        // When
        session.modelCalls(SessionFixture.call("same", "search", "{}"), SessionFixture.call("same", "write", "{}"));
        session.toolAnswers("same", "1");
        session.toolAnswers("same_1", "2");

        // Then
        assertEquals(
                List.of("user: hi", "assistant: search(same) write(same_1)", "tool: same: 1", "tool: same_1: 2"),
                session.shown());
    }

    @Test
    @Tag("I83")
    void theLastStepIsMadeWithoutTools() {
        // Given
        session.limitedTo(
                new Agent.Limits(2, Duration.ofMinutes(5), 3, null, null, 40, 10, 50, Agent.Limits.SKILL_TOKENS));
        session.says("hi");
        session.modelCalls(SessionFixture.call("a", "search", "{}"));
        session.toolAnswers("a", "found");

        // When
        session.modelCalls(SessionFixture.call("b", "search", "{}"));

        // Then
        assertFalse(session.asked().toolsAllowed());
        session.replies("I stopped after 2 steps without an answer.");
    }

    @Test
    void theSameCallsAgainAndAgainEndTheUseOfTools() {
        // Given
        session.says("hi");
        for (int i = 0; i < 2; i++) {
            session.modelCalls(SessionFixture.call("a", "search", "{}"));
            session.toolAnswers("a", "found");
        }

        // When
        session.modelCalls(SessionFixture.call("a", "search", "{}"));

        // Then
        assertFalse(session.asked().toolsAllowed());
        assertTrue(session.shown().getLast().contains("the same call was made 3 times in a row"));
        session.modelAnswers("well then");
        session.replies("well then");
    }

    @Test
    @Tag("I74")
    void aLostCallEndsInAnError() {
        // Given
        session.says("hi");
        session.modelCalls(SessionFixture.call("a", "search", "{}"));

        // When
        session.after(TurnMachine.LEASE.multipliedBy(TurnMachine.TOOL_ATTEMPTS));

        // Then
        assertEquals("tool: a: error: the call was lost", session.shown().getLast());
        assertEquals(TurnMachine.TOOL_ATTEMPTS, session.toolAttempts("a"));
    }

    @Test
    @Tag("I74")
    void aToolThatTakesTooLongEndsInAnError() {
        // Given
        session.says("hi");
        session.modelCalls(SessionFixture.call("a", "search", "{}"));
        var request = session.toolRequest("a");

        // When
        for (int i = 0; i < 24; i++) {
            session.take(new CallResult.CallProgress(request.callId(), 1, "worker"));
            session.after(Duration.ofSeconds(5));
        }

        // Then
        assertEquals(
                "tool: a: error: the tool did not answer in time",
                session.shown().getLast());
        assertEquals(1, session.effects(TurnEffect.CancelTool.class).size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT40S", "PT5M", "PT1H", "P1D"})
    @Tag("B121")
    void aCallThatWasLostToAPauseOrAStepOfTheClockIsRetriedWithTheTimeThatItHadLeft(Duration lost) {
        // Given
        session.says("hi");
        session.modelCalls(SessionFixture.call("a", "search", "{}"));
        var first = session.toolRequest("a");

        // When
        session.jumps(lost.plusMinutes(2));
        session.take(new TurnInput.Tick());

        // Then
        var second = session.toolRequest("a");
        assertEquals(2, second.attempt());
        assertEquals(first.deadline().plus(lost.plusMinutes(2)), second.deadline());

        // And when
        session.toolAnswers("a", "found");
        session.modelAnswers("done");

        // Then
        session.replies("done");
    }

    @Test
    @Tag("B121")
    void aHeartbeatAfterAPauseIsNoSignThatTheToolWasSlow() {
        // Given
        session.says("hi");
        session.modelCalls(SessionFixture.call("a", "search", "{}"));
        var first = session.toolRequest("a");

        // When
        session.jumps(Duration.ofHours(1));
        session.take(new CallResult.CallProgress(first.callId(), 1, "worker"));
        session.take(new TurnInput.Tick());

        // Then
        assertEquals(2, session.toolRequest("a").attempt());
        session.toolAnswers("a", "found");
        session.modelAnswers("done");
        session.replies("done");
    }

    @Test
    @Tag("B121")
    void aCallThatIsLostAgainAndAgainEnds() {
        // Given
        session.says("hi");
        session.modelCalls(SessionFixture.call("a", "search", "{}"));

        // When
        for (int i = 0; i < 5; i++) {
            session.jumps(Duration.ofHours(1));
            session.take(new TurnInput.Tick());
        }

        // Then
        assertEquals(TurnMachine.TOOL_ATTEMPTS, session.toolAttempts("a"));
    }

    @Test
    void rateLimitOfAToolDoesNotCountAsAFailure() {
        // Given
        session.says("hi");
        session.modelCalls(SessionFixture.call("a", "search", "{}"));

        // When
        for (int i = 0; i < 8; i++) {
            var request = session.toolRequest("a");
            session.take(new RetryAfter(request.callId(), request.attempt(), Duration.ofSeconds(5), "429"));
            session.after(Duration.ofSeconds(5));
        }
        session.after(TurnMachine.LEASE);

        // Then
        assertEquals(10, session.toolRequest("a").attempt());
    }

    @Test
    @Tag("I73")
    void aResultIsTakenOnce() {
        // Given
        session.says("hi");
        session.modelCalls(SessionFixture.call("a", "search", "{}"), SessionFixture.call("b", "search", "{}"));
        var request = session.toolRequest("a");
        session.toolAnswers("a", "first");
        int events = session.eventCount();

        // When
        session.take(new ToolAnswered(request.callId(), 1, ToolStatus.ERROR, "error: second"));

        // Then
        assertEquals(events, session.eventCount());
    }

    @Test
    void ignoresAnUnfinishedResult() {
        // Given
        session.says("hi");
        session.modelCalls(SessionFixture.call("a", "search", "{}"));
        int events = session.eventCount();

        // When
        session.take(new ToolAnswered(session.toolRequest("a").callId(), 1, ToolStatus.RUNNING, ""));

        // Then
        assertEquals(events, session.eventCount());
    }

    @Test
    @Tag("P39")
    void aFileOfAToolReachesThePersonAtOnce() {
        // Given
        session.says("draw");
        session.modelCalls(SessionFixture.call("a", "search", "{}"));
        var drawing = new Block.File("drawing.png", "image/png", 3, "00ff", null, null);

        // When
        UUID callId = session.toolRequest("a").callId();
        session.take(new ToolAnswered(callId, 1, ToolStatus.COMPLETED, "drawn", List.of(drawing), List.of()));

        // Then
        assertEquals(
                List.of(drawing), session.replies(Reply.Kind.MESSAGE).getLast().files());
        assertEquals(
                List.of(drawing),
                session.events(TurnEvent.ToolCalled.class).getLast().files());
    }

    @Test
    @Tag("P39")
    void aPictureOfTheModelComesWithItsAnswer() {
        // Given
        session.says("draw");
        var drawing = new Block.File("drawing.png", "image/png", 3, "00ff", null, null);

        // When
        session.modelAnswers(FinishReason.STOP, Block.text("Here it is."), drawing);

        // Then
        Reply reply = session.replies(Reply.Kind.FINAL).getLast();
        assertEquals("Here it is.", reply.text());
        assertEquals(List.of(drawing), reply.files());
    }

    @Test
    @Tag("P39")
    void theMessageToolReachesTheChatAtOnce() {
        // Given
        session.says("hi");

        // When
        session.modelCalls(
                SessionFixture.call("a", "message", "{\"text\":\"first\"}"),
                SessionFixture.call("b", "message", "{\"text\":\"second\"}"));

        // Then
        assertEquals(List.of("first", "second"), session.delivered(Reply.Kind.MESSAGE));
        session.replies();
    }
}
