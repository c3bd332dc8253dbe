package dev.parley.sessions.projection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.definition.GuardrailAction;
import dev.parley.domain.definition.GuardrailStage;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnInput;
import dev.parley.domain.protocol.Usage;
import dev.parley.sessions.Chat;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Projection of events to rows, without a database. */
final class EventFoldTest {
    private final SessionBatch rows = new SessionBatch();
    private final EventFold fold = new EventFold(rows);

    private void fold(List<TurnEvent> events) {
        events.forEach(fold::apply);
    }

    private Row.Session session() {
        return rows.changed(Row.Session.class).iterator().next();
    }

    private Row.Turn turn() {
        return rows.changed(Row.Turn.class).iterator().next();
    }

    /** The messages without the agent's instructions. */
    private List<Row.Message> messages() {
        return rows.changed(Row.Message.class).stream()
                .filter(message -> !message.role.equals("system"))
                .sorted(Comparator.comparingLong(m -> m.position))
                .toList();
    }

    private List<Row.Part> parts(Row.Message message) {
        return rows.changed(Row.Part.class).stream()
                .filter(part -> part.messageId.equals(message.messageId))
                .sorted(Comparator.comparingInt(part -> part.idx))
                .toList();
    }

    private List<Row.Part> tools() {
        return rows.changed(Row.Part.class).stream()
                .filter(part -> part.kind.equals("tool"))
                .toList();
    }

    @Test
    @Tag("I73")
    @Tag("I74")
    void completedToolPartDoesNotRevertToRunning() {
        // Given
        var chat = new Chat("a:1").say("x").call("{\"a\":1}");
        fold(chat.events());
        assertEquals("running", tools().getFirst().toolStatus);
        assertEquals("WAITING_TOOL", turn().state);
        assertNull(messages().getLast().completedTs);

        // When
        chat.result(0, "3");
        fold(chat.events());
        fold(chat.events());

        // Then
        assertEquals("completed", tools().getFirst().toolStatus);
        assertTrue(tools().getFirst().content.contains("\"result\":\"3\""));
        assertEquals("RUNNING_MODEL", turn().state);
    }

    @Test
    @Tag("I74")
    void failedOrUnknownToolCallEndsInError() {
        // Given
        var chat = new Chat("a:2").say("x").call("{}", "{}").result(0, ToolStatus.ERROR, "error: no");
        chat.result(1, ToolStatus.UNKNOWN, "error: nobody knows");

        // When
        fold(chat.events());

        // Then
        assertEquals(
                List.of("error", "error"),
                tools().stream().map(part -> part.toolStatus).toList());
        assertEquals(
                List.of(false, true),
                rows.changed(Row.ToolCall.class).stream()
                        .map(call -> call.unknown)
                        .toList());
    }

    @Test
    @Tag("I76")
    @Tag("I66")
    void eachModelCallHasAStartAndAFinishWithUsage() {
        // When
        fold(new Chat("a:3").say("x").call("{}").result(0, "1").answer("done").events());

        // Then
        long starts = rows.changed(Row.Part.class).stream()
                .filter(part -> part.kind.equals("step-start"))
                .count();
        var finishes = rows.changed(Row.Part.class).stream()
                .filter(part -> part.kind.equals("step-finish"))
                .toList();
        assertEquals(2, starts);
        assertEquals(2, finishes.size());
        assertTrue(finishes.getFirst().content.contains("\"cost\":0.000001500"), finishes.getFirst().content);
        assertEquals(20, turn().tokens.input);
        assertEquals(new BigDecimal("0.000003000"), session().totalCost);
    }

    @Test
    @Tag("I65")
    void anUnknownPriceIsNotZero() {
        var chat = new Chat("a:4").say("x");
        chat.answer(List.of(Block.text("y")), FinishReason.STOP, new Usage(1, 1, 0, 0, 0, null));

        fold(chat.events());

        assertNull(turn().cost);
        assertNull(messages().getLast().cost);
        assertFalse(messages().getLast().costKnown);
        assertEquals(1, session().unpricedCount);
    }

    @Test
    @Tag("I67")
    @Tag("I68")
    void failedTurnKeepsPartialTextAndClosesItsMessages() {
        // Given
        var chat = new Chat("a:5").say("x").fail(ErrorCategory.INVALID_REQUEST, List.of(Block.text("half of")));

        // When
        fold(chat.events());

        // Then
        assertEquals("FAILED", turn().state);
        assertEquals("invalid_request", turn().errorType);
        assertEquals("status 4xx of the provider", turn().errorDetail);
        assertFalse(String.valueOf(turn().errorMessage).contains("4xx"));
        var last = messages().getLast();
        assertEquals(turn().errorMessage, last.errorMessage);
        assertTrue(last.interrupted);
        assertNotNull(last.completedTs);
        assertEquals(
                List.of("step-start", "text", "step-finish"),
                parts(last).stream().map(part -> part.kind).toList());
    }

    @Test
    @Tag("I68")
    void cancelledTurnClosesItsMessagesAndTools() {
        var chat = new Chat("a:6").say("x").call("{}", "{}").cancel();

        fold(chat.events());

        assertTrue(messages().stream().allMatch(message -> message.completedTs != null));
        assertTrue(tools().stream().allMatch(part -> "error".equals(part.toolStatus)));
        assertNull(session().activeTurnId);
    }

    @Test
    @Tag("I90")
    @Tag("I93")
    void toolCallShowsItsApproval() {
        // Given
        var chat = new Chat("a:30").permitting(PermissionAction.ASK).say("x").call("{\"a\":1}", "{\"a\":2}");
        fold(chat.events());
        var calls = List.copyOf(rows.changed(Row.ToolCall.class));
        assertEquals("WAITING_APPROVAL", turn().state);
        assertEquals("ask", calls.getFirst().permission);
        assertEquals("asked", calls.getFirst().approval);

        // When
        fold(chat.decide(ApprovalAnswer.SESSION).events());

        // Then
        calls = List.copyOf(rows.changed(Row.ToolCall.class));
        assertEquals("session", calls.getFirst().approval);
        assertEquals("ada", calls.getFirst().approvalUser);
        assertEquals("WAITING_APPROVAL", turn().state, "of the other call");
        assertTrue(session().permissions.contains("\"tool\":\"add\""), session().permissions);

        // When
        fold(chat.cancel().events());

        // Then
        assertEquals("withdrawn", calls.getLast().approval);
        assertEquals(0, turn().openApprovals);
        assertEquals("CANCELLED", turn().state);
    }

    @Test
    @Tag("I68")
    void steeredMessagesFollowTheEmptyAnswerOfAFailedModelCall() {
        // Given a model call that nobody answers, and two messages that wait for it
        var chat = new Chat("a:29").say("x");
        chat.say(MailboxMode.STEER, List.of(Block.text("y"))).say(MailboxMode.STEER, List.of(Block.text("z")));

        // When
        fold(chat.fail(ErrorCategory.INVALID_REQUEST, List.of()).events());

        // Then
        assertEquals(
                List.of("user", "assistant", "user", "user"),
                messages().stream().map(message -> message.role).toList());
        assertEquals(List.of(0, 1, 2, 3), messages().stream().map(m -> m.seq).toList());
        assertTrue(messages().stream().allMatch(message -> message.completedTs != null));
        assertEquals("invalid_request", messages().get(1).errorType);
        assertEquals("{\"text\":\"z\"}", parts(messages().getLast()).getFirst().content);
    }

    @Test
    @Tag("I64")
    void mapsFinishReasons() {
        assertEquals("tool-calls", finish(FinishReason.TOOL_CALLS));
        assertEquals("content-filter", finish(FinishReason.CONTENT_FILTER));
        assertEquals("length", finish(FinishReason.LENGTH));
    }

    private static String finish(FinishReason reason) {
        var rows = new SessionBatch();
        var fold = new EventFold(rows);
        new Chat("a:" + reason)
                .say("x")
                .answer(List.of(Block.text("y")), reason)
                .events()
                .forEach(fold::apply);
        return rows.changed(Row.Message.class).stream()
                .filter(message -> message.role.equals("assistant"))
                .map(message -> message.finishReason)
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Tag("I62")
    @Tag("I63")
    void assistantMessageHasItsParentModelAndAgent() {
        fold(new Chat("a:7").turn("x", "y").events());

        var question = messages().getFirst();
        var answer = messages().getLast();
        assertEquals(question.messageId, answer.parentId);
        assertEquals("scripted", answer.providerId);
        assertEquals("scripted-1", answer.modelId);
        assertEquals("default", answer.agent);
    }

    @Test
    @Tag("I63")
    void modelCallOfASummaryHasItsProviderAndModel() {
        // Given
        var events = new ArrayList<>(new Chat("a:70").turn("x", "y").events());
        EventMeta last = events.getLast().meta();
        var meta =
                new EventMeta(last.host(), last.key(), last.sessionId(), last.epoch(), last.seq() + 1, null, last.at());
        UUID call = new UUID(1, 2);

        // When
        events.add(new TurnEvent.Summarised(meta, call, "short", 1, 1, Usage.NONE, "gpt-5", "openai"));
        fold(events);

        // Then
        var summary = rows.changed(Row.ModelCall.class).stream()
                .filter(row -> row.callId.equals(call))
                .findFirst()
                .orElseThrow();
        assertEquals("summary", summary.purpose);
        assertEquals("openai", summary.providerId);
        assertEquals("gpt-5", summary.modelId);
    }

    @Test
    void collectedMessageJoinsTheQueuedTurn() {
        // Given
        var chat = new Chat("a:8").say("first").say(MailboxMode.COLLECT, List.of(Block.text("second")));
        chat.say(MailboxMode.COLLECT, List.of(Block.text("third")));

        // When
        fold(chat.events());

        // Then
        var waiting = rows.changed(Row.Turn.class).stream()
                .filter(turn -> turn.state.equals("QUEUED"))
                .toList();
        assertEquals(1, waiting.size());
        assertEquals("second\nthird", waiting.getFirst().userMessage);
        assertEquals(3, session().messageCount);
    }

    @Test
    @Tag("I75")
    void keepsProviderItemsAndFiles() {
        // Given
        var search = new ProviderItem("openai", "web_search_call", "{\"type\": \"web_search_call\"}");
        var strange = new ProviderItem("openai", "dream_call", "{ }");
        var chat = new Chat("a:9")
                .say(MailboxMode.FOLLOWUP, List.of(new Block.File("a.pdf", "application/pdf", 7, "ab", null, null)));
        chat.answer(List.of(new Block.Raw(search), new Block.Raw(strange), Block.text("ok")), FinishReason.STOP);

        // When
        fold(chat.events());

        // Then
        assertEquals("file", parts(messages().getFirst()).getFirst().kind);
        var answered = parts(messages().getLast());
        assertEquals("provider", answered.get(1).executedBy);
        assertEquals("{\"type\": \"web_search_call\"}", answered.get(1).raw);
        assertEquals("raw", answered.get(2).kind);
        assertEquals(1, fold.unknownItems());
        assertTrue(rows.changed(Row.ToolCall.class).isEmpty());
    }

    @Test
    @Tag("P51")
    @Tag("I50")
    void addsATranscriptToItsMessage() {
        // Given
        var voice = new Block.File("voice.ogg", "audio/ogg", 7, "ab", null, null);
        var chat = new Chat("a:20").say(MailboxMode.FOLLOWUP, List.of(voice, Block.text("(from the car)")));

        // When
        chat.fail(ErrorCategory.SERVER, List.of());
        chat.at(Instant.parse("2026-01-01T00:01:00Z")).input(new TurnInput.Tick());
        chat.answer("Wie spät ist es?").answer("Noon");
        fold(chat.events());

        // Then
        var part = parts(messages().getFirst()).getFirst();
        assertTrue(part.content.contains("\"transcript\":\"Wie spät ist es?\""), part.content);
        assertTrue(Objects.requireNonNull(part.searchText).contains("wie spat"), part.searchText);
        assertEquals("Wie spät ist es?\n(from the car)", turn().userMessage);
        assertEquals("Noon", turn().reply);
        assertEquals(20, turn().tokens.input);
        assertEquals(10, messages().getFirst().tokens.input);
        assertEquals(2, messages().size(), "a transcript is no message of its own");
        assertEquals(
                List.of("reply 1", "transcript 1", "transcript 2"),
                rows.changed(Row.ModelCall.class).stream()
                        .map(call -> call.purpose + " " + call.attempt)
                        .sorted()
                        .toList());
    }

    @Test
    void writesTheSettingsOfASession() {
        // Given
        var chat = new Chat("a:21").turn("hi", "hello");

        // When
        chat.configure(new Settings(
                "scripted/other",
                ThinkingLevel.HIGH,
                0.5,
                null,
                100,
                Map.of("stop", "a\nb", "responseSchema", "{\"a\":1}")));
        fold(chat.events());

        // Then
        assertEquals(
                "{\"model\":\"scripted/other\",\"thinking\":\"high\",\"temperature\":0.5,\"maxTokens\":100,"
                        + "\"stop\":[\"a\",\"b\"],\"responseSchema\":{\"a\":1}}",
                session().settings);

        // And when
        chat.configure(Settings.NONE);
        fold(chat.events());

        // Then
        assertNull(session().settings);
    }

    @Test
    @Tag("I40")
    void derivesTheTitleFromTheFirstMessageAfterTheFirstTurn() {
        var chat =
                new Chat("a:10").say("Please help me to understand how the partitions of a topic are chosen\nthanks");
        fold(chat.events());
        assertEquals(ColumnText.PLACEHOLDER, session().title);

        chat.answer("Sure");
        fold(chat.events());

        assertEquals("Please help me to understand how the partitions of a topic…", session().title);
    }

    @Test
    @Tag("O5")
    void rejectsAnEventWithoutItsSession() {
        var events = new Chat("a:11").turn("x", "y").events();

        assertThrows(RejectedEventException.class, () -> fold.apply(events.get(1)));

        assertTrue(rows.changed(Row.class).isEmpty());
    }

    @Test
    void cleansTextsAndBuildsSlugs() {
        assertEquals("a\uFFFDb", ColumnText.clean("a\u0000b"));
        assertEquals("\uFFFDb", ColumnText.clean("\uD83Db"));
        assertEquals("😀", ColumnText.clean("😀"));
        assertEquals("fix-bug", ColumnText.slug("  Fix: Bug! "));
        assertEquals("cafe-uber", ColumnText.slug("Café Über"));
        assertEquals("session", ColumnText.slug("!!!"));
    }

    @Test
    @Tag("P42")
    void showsARevisedMessage() {
        // Given
        var chat = new Chat("a:22").say("one");
        var waiting = chat.say(
                        MailboxMode.FOLLOWUP,
                        List.of(Block.text("tow"), new Block.File("a.pdf", "application/pdf", 7, "ab", null, null)))
                .state()
                .queue()
                .getFirst()
                .turnId();

        // When
        chat.revise(waiting, List.of(Block.text("two")));
        fold(chat.events());

        // Then
        var turn = rows.changed(Row.Turn.class).stream()
                .filter(row -> row.turnId.equals(waiting))
                .findFirst()
                .orElseThrow();
        assertEquals("two", turn.userMessage);
        var parts = parts(rows.messages(turn).get(0));
        assertEquals(2, parts.size(), "each part is written once");
        assertEquals("{\"text\":\"two\"}", parts.getFirst().content);
        assertEquals("{\"text\":\"\"}", parts.getLast().content);
        var file = rows.changed(Row.SessionFile.class).iterator().next();
        assertEquals("ab", file.sha256, "the session knows it still");
    }

    @Test
    @Tag("G10")
    void showsTheTextThatGuardrailsRewrote() {
        // Given
        var chat = new Chat("a:1").say("my card is 4111");
        fold(chat.events());
        var meta = chat.state().running();
        var now = new EventMeta(
                chat.state().open().host(),
                chat.state().key(),
                chat.state().open().sessionId(),
                0,
                chat.state().lastSeq() + 1,
                meta.turnId(),
                Instant.parse("2030-01-01T00:00:00Z"));

        // When
        fold.apply(new TurnEvent.GuardrailApplied(
                now, GuardrailStage.INPUT, 0, "cards", GuardrailAction.REWRITE, "pattern"));
        fold.apply(new TurnEvent.InputChecked(next(now), 0, List.of(Block.text("my card is [card]"))));

        // Then
        assertEquals("my card is [card]", turn().userMessage);
        assertEquals(
                "{\"text\":\"my card is [card]\"}", parts(messages().getFirst()).getFirst().content);
        assertFalse(parts(messages().getFirst()).getFirst().searchText.contains("4111"));
        assertEquals(
                "[{\"stage\":\"input\",\"step\":0,\"guardrail\":\"cards\",\"action\":\"rewrite\",\"reason\":\"pattern\","
                        + "\"at\":\"2030-01-01T00:00:00Z\"}]",
                turn().guardrails);
    }

    private static EventMeta next(EventMeta meta) {
        return new EventMeta(
                meta.host(), meta.key(), meta.sessionId(), meta.epoch(), meta.seq() + 1, meta.turnId(), meta.at());
    }
}
