package dev.parley.domain.turn;

import static dev.parley.domain.definition.GuardrailStage.INPUT;
import static dev.parley.domain.definition.GuardrailStage.OUTPUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.Guardrail;
import dev.parley.domain.definition.GuardrailAction;
import dev.parley.domain.definition.GuardrailStage;
import dev.parley.domain.protocol.CallResult.CallProgress;
import dev.parley.domain.protocol.CallResult.ModelAnswered;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.session.SessionState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuardrailTest {
    private static final String CARD = "4111-1111-1111-1111";
    private static final String DIGITS = "\\d{4}(-?\\d{4}){3}";

    private final SessionFixture session = new SessionFixture();

    private static Guardrail pattern(GuardrailStage stage, GuardrailAction action) {
        return new Guardrail("cards", List.of(stage), DIGITS, null, action, "[card]", "No cards, please.", false);
    }

    private static Guardrail tool(GuardrailStage stage, boolean failsOpen) {
        return new Guardrail(
                "judge", List.of(stage), null, "search", GuardrailAction.BLOCK, "", "Not this.", failsOpen);
    }

    private void assertNotPublished(String secret) {
        assertFalse(session.published().isEmpty());
        session.published().stream()
                .filter(event -> !(event instanceof TurnAccepted || event instanceof TurnSteered))
                .forEach(event -> assertFalse(event.toString().contains(secret), event::toString));
    }

    private List<String> decisions() {
        return session.events(GuardrailApplied.class).stream()
                .map(e -> e.stage().code() + " " + e.guardrail() + " "
                        + e.action().code() + " " + e.reason())
                .toList();
    }

    // ---- input

    @Test
    @Tag("G1")
    void withholdsAMessageCancelledBeforeItsTurn() {
        // Given
        session.guardedBy(pattern(INPUT, GuardrailAction.BLOCK));
        session.says("one");
        UUID waits = session.says("my card is " + CARD);

        // When
        session.cancels(waits);

        // Then
        assertEquals(
                List.of(Block.text(GuardrailSteps.WITHHELD)),
                session.events(TurnRevised.class).getLast().content());
        assertFalse(session.finished(waits).text().contains(CARD));
    }

    @Test
    @Tag("G3")
    void trailingCharactersDoNotHideBlockedArguments() {
        // Given
        session.guardedBy(pattern(OUTPUT, GuardrailAction.BLOCK));
        String escaped = "\\u0034111-1111-1111-1111";
        session.says("go");

        // When
        session.modelCalls(SessionFixture.call("m", "message", "{\"text\":\"" + escaped + "\"}}"));

        // Then
        assertEquals(List.of(), session.delivered(Reply.Kind.MESSAGE));
    }

    @Test
    @Tag("G1")
    void blockedMessageNeverReachesTheModel() {
        // Given
        session.guardedBy(pattern(INPUT, GuardrailAction.BLOCK));

        // When
        UUID turn = session.says("my card is " + CARD);

        // Then
        assertEquals(List.of(), session.effects(TurnEffect.RequestModel.class));
        session.replies("No cards, please.");
        assertEquals(List.of("input cards block pattern"), decisions());
        assertEquals(
                FinishReason.CONTENT_FILTER,
                session.events(TurnCompleted.class).getFirst().finish());
        assertEquals(GuardrailSteps.WITHHELD, session.finished(turn).text());
        assertNotPublished(CARD);
        session.says("and now?");
        assertEquals(
                List.of("user: " + GuardrailSteps.WITHHELD, "assistant: No cards, please.", "user: and now?"),
                session.shown());
    }

    @Test
    @Tag("G2")
    void rewrittenMessageReplacesTheOriginal() {
        // Given
        session.guardedBy(pattern(INPUT, GuardrailAction.REWRITE));

        // When
        UUID turn = session.says("pay with " + CARD + " now");

        // Then
        assertEquals(List.of("user: pay with [card] now"), session.shown());
        session.modelAnswers("done");
        assertEquals("pay with [card] now", session.finished(turn).text());
        assertEquals(List.of("input cards rewrite pattern"), decisions());
        assertNotPublished(CARD);
        session.says("again");
        assertEquals(List.of("user: pay with [card] now", "assistant: done", "user: again"), session.shown());
        session.modelAnswers("yes");
        var fork = session.other("web:fork");
        session.forksTo(fork);
        assertFalse(fork.entries().toString().contains(CARD));
        assertFalse(session.entries().toString().contains(CARD));
    }

    @Test
    @Tag("G2")
    void checksATextAcrossBlocks() {
        // Given
        session.guardedBy(pattern(INPUT, GuardrailAction.REWRITE));

        // When
        session.says(
                MailboxMode.FOLLOWUP,
                Block.text("4111-1111-"),
                new Block.File("a.pdf", "application/pdf", 1, "ab", null, null),
                Block.text("1111-1111"));

        // Then
        assertEquals(List.of("user: [card] a.pdf: null"), session.shown());
    }

    @Test
    @Tag("G2")
    void rewritesTheTranscriptOfAVoiceMessage() {
        // Given
        var hears = FixedDefinitions.agent(
                Agent.DEFAULT,
                AgentMode.ALL,
                FixedDefinitions.LIMITS,
                java.util.Map.of(Agent.TRANSCRIBER, "scripted/ear"));
        session.agentIs(hears.withLeadingGuardrails(List.of(pattern(INPUT, GuardrailAction.REWRITE))));
        session.says(MailboxMode.FOLLOWUP, new Block.File("voice.ogg", "audio/ogg", 9, "ab", null, null));

        // When
        session.take(session.answer(session.askedForTranscript(), FinishReason.STOP, Block.text("it is " + CARD)));

        // Then
        assertEquals(List.of("user: voice.ogg: it is [card]"), session.shown());
    }

    @Test
    @Tag("G3")
    void rewritesASteeringMessage() {
        // Given
        session.guardedBy(pattern(INPUT, GuardrailAction.REWRITE));
        session.says("find it");
        session.modelCalls(SessionFixture.call("a", "search", "{}"));

        // When
        session.says("with " + CARD, MailboxMode.STEER);
        session.says("and so on", MailboxMode.STEER);
        session.toolAnswers("a", "found");

        // Then
        assertEquals(
                List.of("user: with [card]", "user: and so on"), session.shown().subList(3, 5));
        assertNotPublished(CARD);
    }

    @Test
    @Tag("G3")
    void blocksASteeringMessageBetweenSteps() {
        // Given
        session.guardedBy(pattern(INPUT, GuardrailAction.BLOCK));
        session.says("find it");
        session.modelCalls(SessionFixture.call("a", "search", "{}"));

        // When
        session.says("with " + CARD, MailboxMode.STEER);
        session.toolAnswers("a", "found");

        // Then
        session.replies("No cards, please.");
        session.says("next");
        assertEquals("user: " + GuardrailSteps.WITHHELD, session.shown().get(3));
        assertNotPublished(CARD);
    }

    @Test
    @Tag("G3")
    void withholdsASteeringMessageNotCheckedBeforeCancellation() {
        // Given
        session.guardedBy(tool(INPUT, true));
        session.says("one");
        session.guardAnswers("{\"action\":\"allow\"}");

        // When: it joins, and the turn is cancelled before the check
        session.says("two", MailboxMode.STEER);
        session.cancels(null);
        session.take(session.answer(session.asked(), FinishReason.STOP, Block.text("well")));

        // Then
        assertEquals("[input judge block not_asked]", decisions().toString());
        assertFalse(session.entries().toString().contains("two"), session.entries()::toString);
    }

    // ---- output of models

    @Test
    @Tag("G4")
    void blockedAnswerIsNeitherSentNorKept() {
        // Given
        session.guardedBy(pattern(OUTPUT, GuardrailAction.BLOCK));
        UUID turn = session.says("which card?");

        // When
        session.take(new ModelAnswered(
                session.asked().callId(),
                1,
                List.of(new Block.Thinking("it is " + CARD, "sig", null), Block.text("It is " + CARD)),
                FinishReason.STOP,
                new Usage(60, 40, 0, 0, 0, 30L),
                "scripted",
                "model-1",
                "raw " + CARD));

        // Then
        session.replies("No cards, please.");
        assertEquals(List.of("output cards block pattern"), decisions());
        assertEquals("No cards, please.", session.finished(turn).reply());
        assertEquals(100, session.finished(turn).usage().tokens(), "it was paid for");
        assertNotPublished(CARD);
        assertFalse(session.effects().toString().contains(CARD));
        session.says("go on");
        assertEquals(List.of("user: which card?", "assistant: No cards, please.", "user: go on"), session.shown());
    }

    @Test
    @Tag("G5")
    void rewrittenAnswerDropsThoughtsAndProviderItems() {
        // Given
        session.guardedBy(pattern(OUTPUT, GuardrailAction.REWRITE));
        session.says("which card?");
        var item = new ProviderItem("openai", "message", "{\"text\":\"" + CARD + "\"}");

        // When
        session.modelAnswers(
                FinishReason.STOP,
                new Block.Thinking("it is " + CARD, "sig", null),
                new Block.Text("It is 4111-1111", item),
                Block.text("-1111-1111."));

        // Then
        session.replies("It is [card].");
        ModelCalled answer = session.events(ModelCalled.class).getFirst();
        assertEquals(List.of(Block.text("It is [card].")), answer.blocks());
        assertNull(answer.raw());
        assertFalse(session.effects().toString().contains(CARD));
    }

    @Test
    @Tag("G5")
    void keepsAPassingAnswerUnchanged() {
        // Given
        session.guardedBy(pattern(OUTPUT, GuardrailAction.REWRITE));
        session.says("hello");
        var item = new ProviderItem("openai", "message", "{}");

        // When
        session.modelAnswers(FinishReason.STOP, new Block.Thinking("hm", "sig", null), new Block.Text("Hello", item));

        // Then
        ModelCalled answer = session.events(ModelCalled.class).getFirst();
        assertEquals(List.of(new Block.Thinking("hm", "sig", null), new Block.Text("Hello", item)), answer.blocks());
        assertEquals("raw", answer.raw());
    }

    @Test
    @Tag("G5")
    void dropsThoughtsWithBlockedText() {
        // Given
        session.guardedBy(pattern(OUTPUT, GuardrailAction.BLOCK));
        session.says("hello");

        // When
        session.modelAnswers(FinishReason.STOP, new Block.Thinking(CARD, "sig", null), Block.text("Hello"));

        // Then
        session.replies("Hello");
        assertNotPublished(CARD);
    }

    @Test
    @Tag("G5")
    void rewritesArgumentsInAnyForm() {
        // Given
        session.guardedBy(pattern(OUTPUT, GuardrailAction.REWRITE));
        session.says("look it up");

        // When
        session.modelCalls(
                SessionFixture.call(
                        "a", "search", "{\"q\":\"\\u00341\\u00311-1111-1111-1111\",\"n\":[4111111111111111,5]}"),
                SessionFixture.call("b", "message", "{\"text\":\"it is " + CARD + "\"}"),
                SessionFixture.delegate("c", "alpha", "pay " + CARD),
                SessionFixture.call("d", "write", "no json " + CARD),
                SessionFixture.call("e", "write", "{ \"n\" : 1.50 }"));

        // Then
        assertEquals(
                "{\"q\":\"[card]\",\"n\":[\"[card]\",5]}",
                session.toolRequest("a").arguments());
        assertEquals(List.of("it is [card]"), session.delivered(Reply.Kind.MESSAGE));
        assertEquals(List.of("user: pay [card]"), session.child("alpha").shown());
        assertEquals("no json [card]", session.toolRequest("d").arguments());
        assertEquals("{ \"n\" : 1.50 }", session.toolRequest("e").arguments());
        assertFalse(session.effects().toString().contains(CARD));
        assertNotPublished(CARD);
    }

    @Test
    @Tag("G4")
    void aBlockedCallIsNotMade() {
        // Given
        session.guardedBy(pattern(OUTPUT, GuardrailAction.BLOCK));
        session.says("look it up");

        // When
        session.modelCalls(SessionFixture.call("a", "search", "{\"q\":\"" + CARD + "\"}"));

        // Then
        assertEquals(0, session.requests().count());
        session.replies("No cards, please.");
    }

    @Test
    @Tag("G4")
    void blocksPartialAnswers() {
        // Given
        session.guardedBy(pattern(OUTPUT, GuardrailAction.BLOCK));
        session.says("one");

        // When
        session.take(session.failure(session.asked(), ErrorCategory.AUTH, Block.text("It is " + CARD)));
        session.says("two");
        session.cancels(null);
        session.take(session.answer(session.asked(), FinishReason.CANCELLED, Block.text("It is " + CARD)));

        // Then
        assertNotPublished(CARD);
        assertFalse(session.effects().toString().contains(CARD));
        assertEquals("", session.delivered(Reply.Kind.CANCELLED).getFirst());
    }

    @Test
    @Tag("G6")
    void streamsOnlyTheRewrittenText() {
        // Given
        session.guardedBy(pattern(OUTPUT, GuardrailAction.REWRITE));
        session.says("which card?");

        // When
        session.modelAnswers("It is " + CARD);

        // Then
        var tokens = session.effects(TurnEffect.PublishDelta.class).stream()
                .map(TurnEffect.PublishDelta::delta)
                .filter(delta -> delta.kind() == TurnDelta.Kind.TOKEN)
                .map(TurnDelta::text)
                .toList();
        assertEquals(List.of("It is [card]"), tokens);
    }

    // ---- guardrail tools

    @Test
    @Tag("G7")
    void callsAGuardrailToolWithoutApproval() {
        // Given
        session.guardedBy(tool(OUTPUT, false));
        session.permits();
        session.says("hello");

        // When
        session.modelAnswers("Hello \"you\"");

        // Then
        ToolRequest request = session.requests().toList().getLast();
        assertEquals("search", request.name());
        assertEquals(
                "{\"stage\":\"output\",\"agent\":\"default\",\"text\":\"Hello \\\"you\\\"\"}", request.arguments());
        assertEquals(TurnState.WAITING_TOOL, session.state().running().state());
        session.replies();
        session.guardAnswers("{\"action\":\"allow\"}");
        session.replies("Hello \"you\"");
        assertEquals(List.of(), decisions());
        assertEquals(List.of(), session.events(ToolRequested.class), "it is no call of the model");
        assertEquals(List.of(), session.events(PermissionDecided.class));
    }

    @Test
    @Tag("G7")
    void guardrailToolBlocksAMessage() {
        // Given
        session.guardedBy(tool(INPUT, false));
        session.says("be evil");
        assertEquals(List.of(), session.effects(TurnEffect.RequestModel.class));

        // When
        session.guardAnswers("{\"action\":\"block\",\"reason\":\"malice\"}");

        // Then
        session.replies("Not this.");
        assertEquals(List.of("input judge block malice"), decisions());
        assertEquals(List.of(), session.effects(TurnEffect.RequestModel.class));
        assertNotPublished("evil");
    }

    @Test
    @Tag("G7")
    void guardrailsRewriteInSequence() {
        // Given
        session.guardedBy(pattern(OUTPUT, GuardrailAction.REWRITE), tool(OUTPUT, false));
        session.says("which card?");

        // When
        session.modelAnswers("damn, " + CARD);
        assertTrue(session.requests().toList().getLast().arguments().contains("damn, [card]"));
        session.guardAnswers("{\"action\":\"rewrite\",\"text\":\"dear, [card]\"}");

        // Then
        session.replies("dear, [card]");
        assertEquals(List.of("output cards rewrite pattern", "output judge rewrite tool"), decisions());
        assertNotPublished("damn");
    }

    @Test
    @Tag("G7")
    void withholdsAMessageRewrittenToNothing() {
        // Given
        session.guardedBy(tool(INPUT, false));
        session.says("secret");

        // When
        session.guardAnswers("{\"action\":\"rewrite\",\"text\":\"\"}");

        // Then
        assertEquals(List.of("user: " + GuardrailSteps.WITHHELD), session.shown());
    }

    @ParameterizedTest
    @Tag("G8")
    @ValueSource(
            strings = {
                "no",
                "{}",
                "{\"action\":\"sure\"}",
                "{\"action\":\"rewrite\"}",
                "{\"action\":\"allow\"",
                "[\"allow\"]",
                ""
            })
    void unreadableVerdictBlocks(String content) {
        // Given
        session.guardedBy(tool(OUTPUT, false));
        session.says("hello");
        session.modelAnswers("Hello");

        // When
        session.guardAnswers(content);

        // Then
        session.replies("Not this.");
        assertEquals(List.of("output judge block unreadable"), decisions());
    }

    @ParameterizedTest
    @Tag("G8")
    @CsvSource({"false, block, Not this.", "true, allow, Hello"})
    void toolFailureBlocksUnlessTheGuardrailFailsOpen(boolean open, String action, String reply) {
        // Given
        session.guardedBy(tool(OUTPUT, open));
        session.says("hello");
        session.modelAnswers("Hello");

        // When
        session.guardAnswers(ToolStatus.ERROR, "error: no");

        // Then
        session.replies(reply);
        assertEquals(List.of("output judge " + action + " failed"), decisions());
    }

    @ParameterizedTest
    @Tag("G8")
    @CsvSource({"false, block, Not this.", "true, allow, Hello"})
    void toolTimeoutBlocksUnlessTheGuardrailFailsOpen(boolean open, String action, String reply) {
        // Given
        session.guardedBy(tool(OUTPUT, open));
        session.says("hello");
        session.modelAnswers("Hello");
        ToolRequest request = session.requests().toList().getLast();
        session.take(new CallProgress(request.callId(), 1, "worker"));

        // When: its worker keeps reporting progress
        for (int i = 0; i < 20; i++) {
            session.after(Duration.ofSeconds(8));
            session.take(new CallProgress(request.callId(), 1, "worker"));
        }

        // Then
        session.replies(reply);
        assertEquals(List.of("output judge " + action + " timeout"), decisions());
        assertEquals(
                List.of(new TurnEffect.CancelTool(request.callId())), session.effects(TurnEffect.CancelTool.class));
        session.take(new ToolAnswered(request.callId(), 1, ToolStatus.COMPLETED, "{\"action\":\"allow\"}"));
        session.isIdle();
    }

    @Test
    @Tag("G8")
    void unknownToolBlocks() {
        // Given
        session.guardedBy(
                new Guardrail("judge", List.of(INPUT), null, "gone", GuardrailAction.BLOCK, "", "Not this.", false));

        // When
        session.says("hello");

        // Then
        session.replies("Not this.");
        assertEquals(List.of("input judge block unknown_tool"), decisions());
    }

    @Test
    @Tag("G8")
    void blocksATooLongText() {
        // Given
        session.guardedBy(pattern(OUTPUT, GuardrailAction.REWRITE));
        session.says("write a book");

        // When
        session.modelAnswers("x".repeat(Agent.MAX_GUARDED_LENGTH + 1));

        // Then
        session.replies("No cards, please.");
        assertEquals(List.of("output cards block too_long"), decisions());
    }

    @Test
    @Tag("G8")
    void limitsGuardrailToolCallsPerTurn() {
        // Given
        session.guardedBy(tool(OUTPUT, false));
        session.says("go");
        var calls = java.util.stream.IntStream.range(0, GuardrailSteps.MAX_TOOL_CALLS + 1)
                .mapToObj(i -> (Block) SessionFixture.call("c" + i, "write", "{\"n\":" + i + "}"))
                .toArray(Block[]::new);

        // When
        session.modelCalls(calls);
        for (int i = 0; i < GuardrailSteps.MAX_TOOL_CALLS; i++) {
            session.guardAnswers("{\"action\":\"allow\"}");
        }

        // Then
        assertEquals(GuardrailSteps.MAX_TOOL_CALLS, session.requests().count());
        assertEquals(List.of("output judge block too_many_calls"), decisions());
        session.isIdle();
    }

    @Test
    @Tag("G7")
    void aReasonThatQuotesTheTextIsNotWrittenDown() {
        // Given
        session.guardedBy(tool(OUTPUT, false));
        session.says("hello");
        session.modelAnswers("Bluebird");

        // When
        session.guardAnswers("{\"action\":\"block\",\"reason\":\"Bluebird\"}");

        // Then
        assertEquals(List.of("output judge block tool"), decisions());
    }

    @Test
    @Tag("G9")
    void guardrailCallSurvivesRestartsAndLostWorkers() {
        // Given
        session.guardedBy(tool(OUTPUT, false));
        session.says("hello");
        session.modelAnswers("Hello");
        ToolRequest first = session.requests().toList().getLast();

        // When: only the events remain
        SessionState state = SessionState.initial(session.state().key());
        for (TurnEvent event : session.events()) {
            state = TurnMachine.evolve(state, event);
        }

        // Then
        assertEquals(session.state(), state);
        assertTrue(TurnMachine.nextDue(state).isPresent());
        session.after(TurnMachine.LEASE.plusSeconds(1));
        ToolRequest second = session.requests().toList().getLast();
        assertEquals(first.callId(), second.callId());
        assertEquals(2, second.attempt());
        session.take(new RetryAfter(second.callId(), 2, Duration.ofSeconds(5), "busy"));
        session.after(Duration.ofSeconds(6));
        assertEquals(3, session.requests().toList().getLast().attempt());
        session.guardAnswers("{\"action\":\"allow\"}");
        session.replies("Hello");
        session.guardAnswers("{\"action\":\"block\"}");
        session.replies("Hello");
    }

    @Test
    @Tag("G9")
    void blocksAfterTheLastLostAttempt() {
        // Given
        session.guardedBy(tool(INPUT, false));
        session.says("hello");

        // When
        session.after(Duration.ofMinutes(3));

        // Then
        assertEquals(TurnMachine.TOOL_ATTEMPTS, session.requests().count());
        assertEquals(List.of("input judge block lost"), decisions());
        session.replies("Not this.");
    }

    @Test
    @Tag("G9")
    void cancelledTurnDropsAnUncheckedAnswer() {
        // Given
        session.guardedBy(tool(OUTPUT, true));
        UUID turn = session.says("hello");
        session.modelAnswers("Secretly");

        // When
        session.cancels(turn);

        // Then
        assertEquals(1, session.effects(TurnEffect.CancelTool.class).size());
        assertEquals(List.of(), session.effects(TurnEffect.CancelModel.class));
        assertNotPublished("Secretly");
        assertEquals(100, session.finished(turn).usage().tokens());
        session.says("next");
        assertEquals(List.of("user: hello", "user: next"), session.shown());
    }

    @Test
    @Tag("G9")
    void changedGuardrailsCheckTheAnswerFromTheStart() {
        // Given
        session.guardedBy(tool(OUTPUT, false));
        session.says("hello");
        session.modelAnswers("It is " + CARD);

        // When: the version is deleted, and the new one has other guardrails
        session.guardedBy(pattern(OUTPUT, GuardrailAction.REWRITE));
        session.guardAnswers("{\"action\":\"allow\"}");

        // Then
        session.replies("It is [card]");
    }

    @Test
    @Tag("G2")
    void summaryUsesRewrittenMessages() {
        // Given
        session.limitedTo(
                new Agent.Limits(20, Duration.ofMinutes(30), 3, null, null, 2, 1, 50, Agent.Limits.SKILL_TOKENS));
        session.guardedBy(pattern(INPUT, GuardrailAction.REWRITE));

        // When
        session.exchanges("pay with " + CARD, "done");
        session.exchanges("and now", "what");

        // Then
        TurnEffect.RequestModel request = session.askedForSummary();
        assertTrue(request.to() > request.from());
        for (long i = request.from(); i < request.to(); i++) {
            Message message = session.entries().get(i).message();
            assertFalse(message.text().contains(CARD), message::text);
        }
    }
}
