package dev.parley.sessions.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.sessions.history.ImportedMessages.Row;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class ImportedMessagesTest {
    private static Row said(String kind, String text) {
        return new Row(kind, text, null);
    }

    @Test
    @Tag("K8")
    @Tag("K9")
    @Tag("K10")
    void everyKindBecomesItsMessage() {
        var conversation = ImportedMessages.of(List.of(
                said("user", "hi"),
                new Row("tool_call", null, "{\"id\":\"c1\",\"name\":\"add\",\"arguments\":{\"a\":1}}"),
                new Row("tool_result", null, "{\"tool_call_id\":\"c1\",\"output\":\"2\",\"success\":true}"),
                new Row("tool", null, "{\"tool_call_id\":\"c1\",\"output\":\"no\",\"success\":false}"),
                said("assistant", "2")));

        assertEquals(
                List.of(
                        Message.text(Role.USER, "hi"),
                        Message.toolCall("c1", "add", "{\"a\":1}"),
                        Message.toolResult("c1", "2", false),
                        Message.toolResult("c1", "no", true),
                        Message.text(Role.ASSISTANT, "2")),
                conversation.messages());
    }

    @Test
    @Tag("K11")
    @Tag("K12")
    void otherKindsActAndAreNotShown() {
        var conversation = ImportedMessages.of(List.of(
                said("user", "gone"),
                said("clear", ""),
                said("system", "prompt"),
                said("user", "kept"),
                said("mark", "here"),
                said("user", "undone"),
                said("rewind", "here"),
                said("command", "/x"),
                said("fork", ""),
                said("agent_killed", ""),
                said("rewind", "nowhere")));

        assertEquals(List.of(Message.text(Role.USER, "kept")), conversation.messages());
    }

    @Test
    @Tag("K13")
    void aBrokenRowIsLeftOutAndCounted() {
        var conversation = ImportedMessages.of(List.of(
                new Row("tool_call", null, "{not json"),
                new Row("tool_result", null, "{}"),
                said("dance", "x"),
                said("user", "hi")));

        assertEquals(3, conversation.unreadable());
        assertEquals(List.of(Message.text(Role.USER, "hi")), conversation.messages());
    }
}
