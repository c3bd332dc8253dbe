package dev.parley.sessions.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.sessions.Chat;
import dev.parley.sessions.TestViews;
import dev.parley.sessions.projection.Projected;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The views return the messages that the machine sends to the model. */
final class StoredMessagesIT {
    private static TestViews views;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @BeforeAll
    static void start() {
        views = new TestViews();
    }

    @AfterAll
    static void stop() {
        views.close();
    }

    private Conversation read(Chat chat) throws SQLException {
        return new StoredMessages(views.app(), registry).read(Chat.HOST, chat.sessionId());
    }

    private Conversation stored(Chat chat) throws SQLException {
        Projected.into(views.app(), chat.events());
        return read(chat);
    }

    private static ProviderItem item(String type) {
        return new ProviderItem("scripted", type, "{ \"type\":\"" + type + "\", \"b\":1, \"a\":[ ] }");
    }

    @Test
    @Tag("P15")
    @Tag("K8")
    @Tag("K9")
    void storesAllBlocks() throws SQLException {
        // Given
        var chat = new Chat("stored:1").turn("hello", "hi");
        chat.say(
                MailboxMode.FOLLOWUP,
                List.of(Block.text("see"), new Block.File("a.pdf", "application/pdf", 7, "ab", null, null)));
        chat.answer(
                List.of(
                        new Block.Thinking("hm", "signed", item("thinking")),
                        new Block.RedactedThinking("xx", item("redacted")),
                        new Block.Raw(item("web_search_call")),
                        new Block.Raw(item("dream")),
                        new Block.Text("so", item("text")),
                        new Block.File("image.png", "image/png", 7, "ab", null, item("image_generation_call")),
                        new Block.ToolCall("c1", "add", "{\"a\" : 1}", item("call")),
                        new Block.ToolCall("c2", "add", "no json", null)),
                FinishReason.TOOL_CALLS);
        chat.result(1, "second first", List.of(new Block.File("b.csv", "text/csv", 3, "cd", null, null)))
                .result(0, "error: bad")
                .answer("done");

        // Then
        assertEquals(chat.context(), stored(chat).messages());
    }

    @Test
    @Tag("P51")
    void storesTranscriptsOfVoiceMessages() throws SQLException {
        // Given
        var voice = new Block.File("v.ogg", "audio/ogg", 7, "ab", null, null);
        var chat = new Chat("stored:9")
                .say(MailboxMode.FOLLOWUP, List.of(voice, Block.text("and?")))
                .answer("add");
        chat.call("{\"a\":1}")
                .say(MailboxMode.STEER, List.of(voice))
                .result(0, "7")
                .answer("add again")
                .answer("8");

        // When
        chat.events().forEach(event -> Projected.into(views.app(), List.of(event)));

        // Then
        assertEquals(chat.context(), read(chat).messages());
        assertEquals("add\nand?", chat.context().getFirst().text());
    }

    @Test
    @Tag("P11")
    void storesEachMessageAsItArrives() throws SQLException {
        var chat = new Chat("stored:7").say("add");
        assertEquals(
                List.of("0 user text", "1 assistant step-start"),
                rows(chat),
                "the answer stands there before it is made");

        chat.call("{\"a\":1}");
        assertEquals(List.of("0 user text", "1 assistant step-start tool:running step-finish"), rows(chat));

        chat.result(0, "7").say(MailboxMode.STEER, List.of(Block.text("and say why")));
        assertEquals(
                List.of("0 user text", "1 assistant step-start tool:completed step-finish", "2 assistant step-start"),
                rows(chat));

        chat.answer("7").answer("because");
        assertEquals(
                List.of(
                        "0 user text",
                        "1 assistant step-start tool:completed step-finish",
                        "2 assistant step-start text step-finish",
                        "3 user text",
                        "4 assistant step-start text step-finish"),
                rows(chat));
        assertEquals(chat.context(), read(chat).messages());
    }

    @Test
    void replacesCharactersThatPostgresCannotStore() throws SQLException {
        // Given
        var strange = new ProviderItem("pro\u0000vider", "ty\u0000pe", "{\u0000}");
        var chat = new Chat("stored:8")
                .say(
                        MailboxMode.FOLLOWUP,
                        List.of(
                                Block.text("a\u0000b"),
                                new Block.File("n\u0000", "m\u0000", 1, "s\u0000", null, strange)));
        chat.answer(
                List.of(
                        new Block.Thinking("t\u0000", "s\u0000", strange),
                                new Block.RedactedThinking("d\u0000", strange),
                        new Block.Raw(strange), new Block.ToolCall("i\u0000", "n\u0000", "{\u0000}", strange)),
                FinishReason.TOOL_CALLS);
        chat.answer("an unknown tool has its answer at once\u0000")
                .say("x")
                .fail(ErrorCategory.INVALID_REQUEST, List.of(Block.text("\u0000")));

        // When
        var conversation = stored(chat);

        // Then
        assertEquals(chat.context().size(), conversation.messages().size());
        assertEquals("a\uFFFDb", conversation.messages().getFirst().text(), "a place where something was is seen");
    }

    private List<Object> rows(Chat chat) throws SQLException {
        stored(chat);
        return views.query("""
                        SELECT m.seq || ' ' || m.role || ' ' || string_agg(p.kind || coalesce(':' || p.tool_status, ''), ' ' ORDER BY p.idx)
                        FROM sessions.agent_message_t m JOIN sessions.agent_message_part_t p USING (host_id, message_id)
                        WHERE m.session_id = ? AND m.role <> 'system' GROUP BY m.position, m.seq, m.role ORDER BY m.position, m.seq
                        """, chat.sessionId()).stream()
                .map(row -> row.values().iterator().next())
                .toList();
    }

    @Test
    @Tag("P15")
    void storesFailedInterruptedAndSteeredTurns() throws SQLException {
        // Given
        var chat = new Chat("stored:2")
                .say("x")
                .fail(ErrorCategory.INVALID_REQUEST, List.of(Block.text("half"), new Block.Thinking("t", "s", null)));
        chat.say("y")
                .call("{}")
                .result(0, "1")
                .say(MailboxMode.INTERRUPT, List.of(Block.text("stop that")))
                .fail(ErrorCategory.CANCELLED, List.of(Block.text("I was")));
        chat.answer("fine")
                .say("z")
                .say(MailboxMode.STEER, List.of(Block.text("and w")))
                .call("{}")
                .result(0, "2")
                .answer("all");

        // Then
        assertEquals(chat.context(), stored(chat).messages());
    }

    @Test
    @Tag("K12")
    void appliesResets() throws SQLException {
        // Given
        var chat = new Chat("stored:3")
                .turn("before", "1")
                .reset(Reset.CLEAR, null)
                .turn("kept", "2")
                .reset(Reset.MARK, "m");
        chat.turn("undone", "3")
                .reset(Reset.CLEAR, null)
                .turn("undone too", "4")
                .reset(Reset.REWIND, "m")
                .turn("after", "5");

        // When
        var conversation = stored(chat);

        // Then
        assertEquals(chat.context(), conversation.messages());
        assertEquals(
                List.of("kept", "2", "after", "5"),
                conversation.messages().stream().map(Message::text).toList());
    }

    @Test
    @Tag("K12")
    void omitsUndoneTurns() throws SQLException {
        // Given
        var chat = new Chat("stored:undo")
                .turn("kept", "1")
                .turn("undone", "2")
                .turn("undone too", "3")
                .reset(Reset.UNDO, null)
                .reset(Reset.UNDO, null)
                .turn("after", "4");

        // When
        var conversation = stored(chat);

        // Then
        assertEquals(chat.context(), conversation.messages());
        assertEquals(
                List.of("kept", "1", "after", "4"),
                conversation.messages().stream().map(Message::text).toList());
    }

    @Test
    @Tag("I108")
    void omitsRevertedTurnsUntilTheyAreRestored() throws SQLException {
        var chat = new Chat("stored:revert").turn("kept", "1").turn("two", "2").turn("three", "3");
        chat.reset(Reset.REVERT, null).reverted().reset(Reset.REVERT, null).reverted();

        assertEquals(
                List.of("kept", "1"),
                stored(chat).messages().stream().map(Message::text).toList());

        chat.reset(Reset.UNREVERT, null).reverted();

        assertEquals(chat.context(), stored(chat).messages());
        assertEquals(6, stored(chat).messages().size());

        chat.reset(Reset.REVERT, null).reverted().turn("after", "4");

        assertEquals(chat.context(), stored(chat).messages());
        assertEquals(
                List.of("kept", "1", "two", "2", "after", "4"),
                stored(chat).messages().stream().map(Message::text).toList());
    }

    @Test
    @Tag("P5")
    void summaryReplacesOlderTurns() throws SQLException {
        // Given
        var chat = new Chat("stored:4");
        for (int i = 0; i < 41; i++) {
            chat.turn("q" + i, "a" + i);
        }
        var pending = java.util.Objects.requireNonNull(chat.state().summary());
        chat.input(new dev.parley.domain.protocol.CallResult.ModelAnswered(
                pending.callId(),
                1,
                List.of(Block.text("all about q")),
                FinishReason.STOP,
                dev.parley.domain.protocol.Usage.NONE,
                "scripted",
                "scripted-1",
                null));

        // When
        var conversation = stored(chat);

        // Then
        assertEquals("all about q", conversation.summary());
        assertEquals(chat.context(), conversation.messages());
        assertEquals(
                82L,
                views.value(
                        "SELECT count(*) FROM sessions.agent_message_t WHERE session_id = ? AND role <> 'system'",
                        chat.sessionId()));
        assertEquals(
                pending.upTo(),
                views.value(
                        "SELECT summary_up_to FROM sessions.agent_session_t WHERE session_id = ?", chat.sessionId()));
    }

    @Test
    @Tag("H1")
    void compactHistoryContainsEndedTurnsOnly() throws SQLException {
        // Given
        var chat = new Chat("stored:6")
                .turn("one", "1")
                .say("two")
                .call("{}")
                .result(0, "7")
                .answer("2")
                .say("open");

        // When
        stored(chat);

        // Then
        var history = views.query(
                "SELECT messages::text, bank_id FROM sessions.agent_session_history_t WHERE session_id = ?",
                chat.sessionId());

        assertEquals(1, history.size());
        assertNull(history.getFirst().get("bank_id"), "no bank remembers it");
        String text = String.valueOf(history.getFirst().get("messages"));
        assertEquals(5, text.split("\"role\"", -1).length - 1, text);
        assertEquals(false, text.contains("open"));
        var turns = views.query(
                "SELECT id, session_id, user_message, model FROM sessions.turn_v WHERE turn_id IN (SELECT turn_id FROM sessions.agent_turn_t WHERE session_id = ?) ORDER BY id",
                chat.sessionId());
        assertEquals(
                List.of("one", "two"),
                turns.stream().map(turn -> turn.get("user_message")).toList(),
                "turns that have ended, as pairs");
        assertEquals("stored:6", turns.getFirst().get("session_id"));
    }
}
