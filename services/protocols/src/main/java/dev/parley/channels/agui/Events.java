package dev.parley.channels.agui;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.agui.RunMessage.Role;
import dev.parley.channels.protocols.ProtocolJson;
import java.util.List;

/** Events of the protocol. Missing members are omitted, never null. */
final class Events {
    /** Protocol version. */
    static final String VERSION = "1.0";

    private Events() {}

    static ObjectNode of(String type) {
        return ProtocolJson.object().put("type", type);
    }

    static ObjectNode textStart(String id) {
        return of("TEXT_MESSAGE_START").put("messageId", id).put("role", "assistant");
    }

    static ObjectNode textContent(String id, String text) {
        return of("TEXT_MESSAGE_CONTENT").put("messageId", id).put("delta", text);
    }

    static ObjectNode textEnd(String id) {
        return of("TEXT_MESSAGE_END").put("messageId", id);
    }

    static ObjectNode callStart(String id, String tool, String message) {
        return of("TOOL_CALL_START")
                .put("toolCallId", id)
                .put("toolCallName", tool)
                .put("parentMessageId", message);
    }

    static ObjectNode callArguments(String id, String arguments) {
        return of("TOOL_CALL_ARGS").put("toolCallId", id).put("delta", arguments);
    }

    static ObjectNode callEnd(String id) {
        return of("TOOL_CALL_END").put("toolCallId", id);
    }

    static ObjectNode callResult(String message, String call, String content) {
        return of("TOOL_CALL_RESULT")
                .put("messageId", message)
                .put("toolCallId", call)
                .put("content", content)
                .put("role", "tool");
    }

    static ObjectNode reasoning(String type, String id) {
        return of(type).put("messageId", id);
    }

    /** The client's conversation as it sent it, without messages that are internal to the client. */
    static ObjectNode messages(List<RunMessage> messages) {
        ObjectNode event = of("MESSAGES_SNAPSHOT");
        ArrayNode array = event.putArray("messages");
        messages.stream()
                .filter(message -> message.id() != null && message.role() != Role.OTHER)
                .forEach(message -> array.add(message.json()));
        return event;
    }
}
