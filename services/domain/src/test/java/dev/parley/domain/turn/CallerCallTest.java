package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.CallerTools;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.definition.ToolChoice;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.CallerCall;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnCommand.AnswerCall;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnEvent.PermissionDecided;
import dev.parley.domain.protocol.TurnEvent.ToolCalled;
import dev.parley.domain.protocol.TurnEvent.ToolRequested;
import dev.parley.domain.protocol.TurnState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Callers' tools, which come with a turn and whose calls wait for the client's results. */
class CallerCallTest {
    private static final ToolSpec PICK = ToolSpec.ofCaller("pick", "Picks a colour", "{\"type\":\"object\"}");
    private static final ToolSpec SHOW = ToolSpec.ofCaller("show", "Shows a page", "{\"type\":\"object\"}");

    private final SessionFixture session = new SessionFixture();

    private CallerCall waitingCall(int index) {
        return session.callsTold().get(index);
    }

    private UUID answer(CallerCall call, String content) {
        return session.takes(new AnswerCall(session.newMeta(), call.callId(), content, false));
    }

    private void turnThatCalls(String... tools) {
        session.saysWith("go on", PICK, SHOW);
        session.modelCalls(IntStream.range(0, tools.length)
                .mapToObj(i -> SessionFixture.call("c" + i, tools[i], "{\"n\":1}"))
                .toArray(dev.parley.domain.content.Block.ToolCall[]::new));
    }

    @Test
    @Tag("I130")
    void offersCallersToolsAfterThoseOfTheAgent() {
        // When
        session.saysWith("go on", PICK, SHOW);

        // Then
        var names = session.asked().tools().stream().map(ToolSpec::name).toList();
        assertEquals(List.of("pick", "show"), names.subList(names.size() - 2, names.size()));
        assertTrue(names.contains("search"), names.toString());

        // When
        session.modelAnswers("done");
        session.says("and now?");

        // Then
        assertFalse(session.asked().tools().contains(PICK), "the next turn has them no more");
    }

    @Test
    @Tag("I130")
    void callWaitsForTheCallersResult() {
        // When
        turnThatCalls("pick");

        // Then
        assertEquals(0, session.requests().count(), "no worker is asked");
        CallerCall call = waitingCall(0);
        assertEquals("pick", call.name());
        assertEquals("{\"n\":1}", call.arguments());
        assertEquals("c0", call.toolCallId());
        assertEquals(session.state().running().turnId(), call.turnId());
        assertEquals(TurnState.WAITING_TOOL, session.state().running().state());

        // When
        UUID answer = answer(call, "blue");

        // Then
        assertEquals(Outcome.Disposition.DONE, session.accepted(answer).disposition());
        assertEquals("tool: c0: blue", session.shown().getLast());
        assertEquals(List.of(), session.callsTold());
        session.modelAnswers("It is blue.");
        session.replies("It is blue.");
        assertEquals(
                ToolStatus.COMPLETED, session.events(ToolCalled.class).getLast().status());
    }

    @Test
    @Tag("I130")
    void publishesCallersCallsAfterAllCallsOfTheStep() {
        // When
        turnThatCalls("pick", "search", "show");

        // Then
        var kinds = session.effects(TurnEffect.PublishDelta.class).stream()
                .map(effect -> effect.delta().kind())
                .filter(kind -> kind == TurnDelta.Kind.TOOL_CALL || kind == TurnDelta.Kind.CALLER_CALL)
                .toList();
        assertEquals(
                List.of(
                        TurnDelta.Kind.TOOL_CALL,
                        TurnDelta.Kind.TOOL_CALL,
                        TurnDelta.Kind.TOOL_CALL,
                        TurnDelta.Kind.CALLER_CALL,
                        TurnDelta.Kind.CALLER_CALL),
                kinds);
        assertEquals(
                List.of("c0", "c2"),
                session.callsTold().stream().map(CallerCall::toolCallId).toList());
        assertEquals(1, session.requests().count(), "the agent's own call runs meanwhile");

        // When: in any order
        answer(waitingCall(1), "shown");
        session.toolAnswers("c1", "found");
        assertEquals(
                List.of("c0"),
                session.callsTold().stream().map(CallerCall::toolCallId).toList());
        answer(waitingCall(0), "blue");

        // Then: results in the order of the calls
        var shown = session.shown();
        assertEquals(
                List.of("tool: c0: blue", "tool: c1: found", "tool: c2: shown"),
                shown.subList(shown.size() - 3, shown.size()));
    }

    @Test
    @Tag("I131")
    void acceptsTheFirstResultAndItsDuplicateOnly() {
        // Given
        turnThatCalls("pick", "show");
        CallerCall call = waitingCall(0);
        var first = new AnswerCall(session.newMeta(), call.callId(), "blue", false);

        // When
        session.take(first);
        session.take(first);
        UUID second = answer(call, "red");

        // Then
        assertEquals(1, session.events(ToolCalled.class).size());
        assertEquals("blue", session.events(ToolCalled.class).getFirst().content());
        assertEquals(
                Outcome.Disposition.DONE,
                session.accepted(first.meta().commandId()).disposition());
        session.refuses(second, "unknown_call");
    }

    @Test
    @Tag("I131")
    void rejectsResultsOfOthersAndForOtherCalls() {
        // Given
        turnThatCalls("pick", "search");
        CallerCall call = waitingCall(0);
        UUID toolCallId = session.toolRequest("c1").callId();

        // When
        CommandMeta meta = session.newMeta();
        var bobsAnswer = new AnswerCall(
                new CommandMeta(meta.commandId(), meta.host(), meta.at(), "bob", 1, null), call.callId(), "x", false);
        session.take(bobsAnswer);
        UUID ofWorker = session.takes(new AnswerCall(session.newMeta(), toolCallId, "x", false));
        session.take(new ToolAnswered(call.callId(), 1, ToolStatus.COMPLETED, "of a worker"));
        session.take(new RetryAfter(call.callId(), 1, Duration.ZERO, "of a worker"));

        // Then
        session.refuses(bobsAnswer.meta().commandId(), "unknown_call");
        session.refuses(ofWorker, "unknown_call");
        assertEquals(List.of(), session.events(ToolCalled.class));
    }

    @Test
    @Tag("I131")
    void limitsResultsAndPassesErrorsToTheModel() {
        // Given
        turnThatCalls("pick");
        CallerCall call = waitingCall(0);

        // When
        UUID tooLong = answer(call, "x".repeat(CallerTools.MAX_RESULT_LENGTH + 1));
        session.takes(new AnswerCall(session.newMeta(), call.callId(), "the window is closed", true));

        // Then
        session.refuses(tooLong, "result_too_long");
        assertEquals("tool: c0: error: the window is closed", session.shown().getLast());
    }

    @Test
    @Tag("I132")
    void unansweredCallExpiresAfterAnHour() {
        // Given: half of the turn's own time is over
        session.saysWith("go on", PICK);
        session.after(Duration.ofSeconds(5));
        Duration remaining =
                Duration.between(session.now(), session.state().running().deadline());
        session.modelCalls(SessionFixture.call("c0", "pick", "{}"));

        // When
        session.after(Duration.ofMinutes(59));
        assertEquals(1, session.callsTold().size());
        session.after(Duration.ofMinutes(1));

        // Then: waiting did not use up the turn's time
        assertEquals(
                "tool: c0: error: the caller did not return the result of this call in time; do without it",
                session.shown().getLast());
        assertEquals(
                remaining,
                Duration.between(session.now(), session.state().running().deadline()));
        assertEquals(1, session.toolAttempts("c0"), "it is not made again");
    }

    @Test
    @Tag("I132")
    void waitingForACallerExtendsTheDeadline() {
        // Given
        session.saysWith("go on", PICK, SHOW);
        Duration remaining =
                Duration.between(session.now(), session.state().running().deadline());
        session.modelCalls(SessionFixture.call("c0", "pick", "{}"), SessionFixture.call("c1", "show", "{}"));

        // When
        session.after(Duration.ofMinutes(40));
        answer(waitingCall(0), "blue");
        session.after(Duration.ofMinutes(10));
        answer(waitingCall(0), "shown");

        // Then
        assertEquals(
                remaining,
                Duration.between(session.now(), session.state().running().deadline()));
    }

    @Test
    @Tag("I132")
    void retriesOfLostCallsExcludeCallersCalls() {
        // When
        turnThatCalls("pick", "search");

        // Then
        assertEquals(
                List.of(session.toolRequest("c1").callId()),
                TurnMachine.retriesOfLostCalls(session.state()).stream()
                        .map(lost -> lost.callId())
                        .toList());
    }

    @Test
    @Tag("I132")
    void cancellingGivesTheCallItsResultAndALateOneIsRefused() {
        // Given
        turnThatCalls("pick");
        CallerCall call = waitingCall(0);

        // When
        session.cancels(null);
        UUID lateAnswer = answer(call, "blue");

        // Then
        session.isIdle();
        session.refuses(lateAnswer, "unknown_call");
        assertEquals(
                ToolStatus.ERROR, session.events(ToolCalled.class).getLast().status());
        assertEquals(List.of(), session.effects(TurnEffect.CancelTool.class));
    }

    @Test
    @Tag("I132")
    void resetEndsTheCallsOfTheTurn() {
        for (Reset reset : List.of(Reset.UNDO, Reset.CLEAR, Reset.NEW)) {
            // Given
            turnThatCalls("pick");
            CallerCall call = waitingCall(0);

            // When
            session.resets(reset);

            // Then
            session.isIdle();
            session.refuses(answer(call, "blue"), "unknown_call");
        }
    }

    @Test
    @Tag("I132")
    void retriedTurnKeepsItsCallersTools() {
        // Given
        UUID turn = session.saysWith("go on", PICK, SHOW);
        session.modelAnswers("no");

        // When: the agent has learned one of them meanwhile
        session.offers("show");
        UUID retried = session.retries(Ids.message(turn, 1));

        // Then
        var tools = session.asked().tools();
        assertTrue(tools.contains(PICK), tools.toString());
        assertFalse(tools.contains(SHOW), tools.toString());
        session.modelCalls(SessionFixture.call("c0", "pick", "{}"));
        answer(waitingCall(0), "blue");
        session.modelAnswers("It is blue.");

        // When: a second retry
        session.retries(Ids.message(retried, 1));

        // Then
        assertTrue(session.asked().tools().contains(PICK));
        session.modelAnswers("done");
        session.says("and now?");
        assertFalse(session.asked().tools().contains(PICK), "the next turn has them no more");
    }

    @Test
    @Tag("I134")
    void invalidArgumentsAreAnErrorForTheModel() {
        // Given
        session.saysWith("go on", ToolSpec.ofCaller("pick", "", "{\"not\":\"grey\"}"), SHOW);

        // When
        session.modelCalls(
                SessionFixture.call("c0", "pick", "{\"n\":\"grey\"}"), SessionFixture.call("c1", "show", "{}"));

        // Then
        assertEquals(
                List.of("c1"),
                session.callsTold().stream().map(CallerCall::toolCallId).toList());
        answer(waitingCall(0), "shown");
        assertTrue(
                session.shown().contains("tool: c0: error: /n: is grey"),
                session.shown().toString());
    }

    @Test
    @Tag("I134")
    void repeatedInvalidCallsDisableTools() {
        // Given
        session.saysWith("go on", ToolSpec.ofCaller("pick", "", "{\"not\":\"grey\"}"));

        // When
        for (int i = 0; i < TurnMachine.MAX_IDENTICAL_CALL_ROUNDS; i++) {
            session.modelCalls(SessionFixture.call("c" + i, "pick", "{\"n\":\"grey\"}"));
        }

        // Then
        assertEquals(List.of(), session.callsTold());
        assertFalse(session.asked().toolsAllowed());
    }

    @Test
    @Tag("I135")
    void toolChoiceMayNameACallersTool() {
        // When
        session.saysWith(
                "go on", new Settings(null, null, null, null, null, Map.of(Agent.TOOL_CHOICE, "tool:pick")), PICK);

        // Then
        assertEquals(new ToolChoice.Named("pick"), session.toolChoice());
    }

    @Test
    @Tag("I132")
    void steeringMessageFollowsTheResultAndOthersWait() {
        // Given
        turnThatCalls("pick");

        // When
        UUID next = session.says("something else");
        session.says("make it quick", MailboxMode.STEER);
        answer(waitingCall(0), "blue");

        // Then
        var shown = session.shown();
        assertEquals(List.of("tool: c0: blue", "user: make it quick"), shown.subList(shown.size() - 2, shown.size()));
        session.waiting(next);
    }

    @Test
    @Tag("I130")
    void messageWithToolsDoesNotJoinATurn() {
        // Given
        session.says("go on");

        // When
        UUID steers = session.saysWith("and this", MailboxMode.STEER, PICK);
        UUID collects = session.saysWith("and that", MailboxMode.COLLECT, SHOW);

        // Then
        session.waiting(steers, collects);
    }

    @Test
    @Tag("I133")
    void rejectsInvalidCallersTools() {
        // Given
        session.offers("fly");

        // Then
        session.refuses(session.saysWith("x", ToolSpec.ofCaller("fly", "", "{}")), "tool_name_taken");
        session.refuses(session.saysWith("x", ToolSpec.ofCaller("message", "", "{}")), "invalid_tools");
        session.refuses(session.saysWith("x", ToolSpec.ofCaller("load_skill", "", "{}")), "invalid_tools");
        session.refuses(session.saysWith("x", ToolSpec.ofCaller("no spaces", "", "{}")), "invalid_tools");
        session.refuses(session.saysWith("x", PICK, PICK), "invalid_tools");
        session.refuses(
                session.saysWith("x", ToolSpec.ofCaller("long", "x".repeat(CallerTools.MAX_LENGTH), "{}")),
                "invalid_tools");
        session.refuses(
                session.saysWith(
                        "x",
                        IntStream.range(0, CallerTools.MAX_TOOLS + 1)
                                .mapToObj(i -> ToolSpec.ofCaller("t" + i, "", "{}"))
                                .toArray(ToolSpec[]::new)),
                "invalid_tools");
        session.refuses(
                session.saysWith(
                        "x",
                        IntStream.range(0, 5)
                                .mapToObj(i -> ToolSpec.ofCaller("t" + i, "x".repeat(30_000), "{}"))
                                .toArray(ToolSpec[]::new)),
                "invalid_tools");
        session.refuses(session.saysWith("x", FixedDefinitions.toolNamed("mine")), "invalid_tools");
        session.isIdle();
    }

    @Test
    @Tag("I133")
    void agentsToolTakesPrecedenceOverACallersTool() {
        // Given
        session.saysWith("go on", PICK);

        // When
        session.offers("pick");
        session.modelCalls(SessionFixture.call("c0", "pick", "{}"));

        // Then
        assertEquals("pick", session.toolRequest("c0").name());
        assertEquals(List.of(), session.callsTold());
    }

    @Test
    @Tag("I133")
    void rulesMayDenyCallersCallsWithoutApproval() {
        // Given
        session.permits(FixedDefinitions.rule("show", PermissionAction.DENY));

        // When: no rule applies to the other call
        turnThatCalls("pick", "show");

        // Then
        assertEquals(
                List.of(PermissionAction.ALLOW, PermissionAction.DENY),
                session.events(PermissionDecided.class).stream()
                        .map(PermissionDecided::action)
                        .toList());
        assertEquals(
                List.of("c0"),
                session.callsTold().stream().map(CallerCall::toolCallId).toList());
    }

    @Test
    @Tag("I133")
    void toolChoiceNoneDisablesCallersTools() {
        // When
        session.saysWith(
                "go on", new Settings(null, null, null, null, null, Map.of(Agent.TOOL_CHOICE, Agent.NONE)), PICK);

        // Then
        assertFalse(session.asked().toolsAllowed());
    }

    @Test
    @Tag("I133")
    void delegatesDoNotGetCallersTools() {
        // Given
        session.saysWith("go on", PICK);

        // When
        session.modelCalls(SessionFixture.delegate("d", "alpha", "do it"));

        // Then
        assertFalse(session.child("alpha").asked().tools().contains(PICK));
    }

    @Test
    @Tag("I133")
    void theSameCallsOverAndOverEndTheUseOfTools() {
        // Given
        session.saysWith("go on", PICK);

        // When
        for (int i = 0; i < TurnMachine.MAX_IDENTICAL_CALL_ROUNDS - 1; i++) {
            session.modelCalls(SessionFixture.call("c" + i, "pick", "{}"));
            answer(waitingCall(0), "blue");
        }
        session.modelCalls(SessionFixture.call("last", "pick", "{}"));

        // Then
        assertEquals(List.of(), session.callsTold());
        assertFalse(session.asked().toolsAllowed());
        assertEquals(
                ToolSpec.OF_CALLER,
                session.events(ToolRequested.class).getFirst().version());
    }
}
