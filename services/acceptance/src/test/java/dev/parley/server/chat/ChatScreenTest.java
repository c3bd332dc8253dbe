package dev.parley.server.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.parley.server.chat.ChatClient.Event;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ChatScreenTest {
    private final StringWriter shown = new StringWriter();
    private final ChatScreen screen = new ChatScreen(new PrintWriter(shown), false, false);

    private void show(String name, String... fields) {
        var data = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < fields.length; i += 2) {
            data.put(fields[i], fields[i + 1]);
        }
        screen.show(new Event(name, "", data));
    }

    @Test
    void showsTokensOnceAndToolsOnSeparateLines() {
        screen.begin();
        show("token", "text", "Let me see. ");
        show("tool_call", "callId", "1", "text", "{\"text\":\"hi\"}");
        show("tool_result", "callId", "1", "tool", "echo", "text", "hi");
        show("token", "text", "It said ");
        show("token", "text", "hi.");
        show("done", "text", "It said hi.", "state", "COMPLETED");
        assertEquals("Let me see. \n⚙ echo {\"text\":\"hi\"} → hi\nIt said hi.\n", shown.toString());
    }

    @Test
    void showsAnUnstreamedReplyAtTheEnd() {
        screen.begin();
        show("token", "text", "Hel");
        show("done", "text", "Hello.", "state", "COMPLETED");
        show("error", "text", "The model is away.");
        assertEquals("Hel\nHello.\nThe model is away.\n", shown.toString());
    }

    @Test
    void showsIntermediateMessagesOnSeparateLines() {
        screen.begin();
        show("token", "text", "Let me see.");
        show("message", "text", "I begin");
        show("token", "text", "Done.");
        show("done", "text", "Done.", "state", "COMPLETED");
        assertEquals("Let me see.\nI begin\nDone.\n", shown.toString());
    }

    @Test
    void showsProgressOnSeparateLines() {
        screen.begin();
        show("token", "text", "Let me see.");
        show("progress", "text", "Reading the report");
        show("progress", "text", "");
        show("done", "text", "Done.", "state", "COMPLETED");
        assertEquals("Let me see.\nReading the report\nDone.\n", shown.toString());
    }

    @Test
    void removesControlCharacters() {
        assertEquals("a[2Jb\n\tc", ChatScreen.safe("a\u001b[2Jb\r\n\tc\u0007"));
    }
}
