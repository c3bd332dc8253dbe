package dev.parley.channels.agui;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.agui.RunMessage.Role;
import dev.parley.channels.protocols.ProtocolJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The client's conversation with later events applied. For one thread. */
final class ThreadSnapshot {
    private final Map<String, ObjectNode> messages = new LinkedHashMap<>();
    private final Map<String, ObjectNode> calls = new LinkedHashMap<>();

    /** Client-internal messages are omitted. */
    ThreadSnapshot(List<RunMessage> messages) {
        for (RunMessage message : messages) {
            if (message.id() != null && message.role() != Role.OTHER) {
                this.messages.put(message.id(), message.json());
            }
        }
    }

    /** Applies an event; those that change no message are ignored. */
    void add(ObjectNode event) {
        switch (event.path("type").asText()) {
            case "TEXT_MESSAGE_START" -> agents(event.path("messageId").asText());
            case "TEXT_MESSAGE_CONTENT" -> append(agents(event.path("messageId").asText()), "content", event);
            case "TOOL_CALL_START" -> begin(event);
            case "TOOL_CALL_ARGS" ->
                append(Objects.requireNonNull(calls.get(event.path("toolCallId").asText())), "arguments", event);
            case "TOOL_CALL_RESULT" -> {
                String id = event.path("messageId").asText();
                messages.put(
                        id,
                        ProtocolJson.object()
                                .put("id", id)
                                .put("role", "tool")
                                .put("toolCallId", event.path("toolCallId").asText())
                                .put("content", event.path("content").asText()));
            }
            default -> {} // no message
        }
    }

    private ObjectNode agents(String id) {
        return messages.computeIfAbsent(
                id, _ -> ProtocolJson.object().put("id", id).put("role", "assistant"));
    }

    private static void append(ObjectNode to, String field, ObjectNode event) {
        to.put(field, to.path(field).asText() + event.path("delta").asText());
    }

    private void begin(ObjectNode event) {
        ObjectNode call = agents(event.path("parentMessageId").asText())
                .withArray("toolCalls")
                .addObject()
                .put("id", event.path("toolCallId").asText())
                .put("type", "function");
        calls.put(
                event.path("toolCallId").asText(),
                call.putObject("function")
                        .put("name", event.path("toolCallName").asText())
                        .put("arguments", ""));
    }

    /** The snapshot event. */
    ObjectNode event() {
        ObjectNode event = Events.of("MESSAGES_SNAPSHOT");
        event.putArray("messages").addAll(messages.values());
        return event;
    }
}
