package dev.parley.channels.agui;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.contract.Part;
import dev.parley.channels.protocols.MessageParts;
import dev.parley.channels.protocols.RequestFields;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A message of a client's conversation.
 *
 * @param id the client's id, or that of an event; null for none
 * @param parts texts and files
 * @param calls ids of its tool calls
 * @param callId the call whose result it is, or null
 * @param skipped ignored parts
 * @param json the whole message without nulls
 */
record RunMessage(
        @Nullable String id,
        Role role,
        List<Part> parts,
        List<String> calls,
        @Nullable String callId,
        List<String> skipped,
        ObjectNode json) {
    private static final Set<String> MEDIA = Set.of("image", "audio", "video", "document");

    RunMessage {
        parts = List.copyOf(parts);
        calls = List.copyOf(calls);
        skipped = List.copyOf(skipped);
    }

    /** The sender. */
    enum Role {
        /** The person. */
        USER,
        /** The calling program. */
        PROGRAM,
        AGENT,
        TOOL,
        /** The client itself; agents do not receive these messages. */
        OTHER
    }

    /**
     * Parses a message.
     *
     * @throws dev.parley.channels.protocols.ProtocolException 400 with the invalid field
     */
    static RunMessage read(RequestFields message) {
        Role role = role(message);
        var parts = new ArrayList<Part>();
        var skipped = new ArrayList<String>();
        if (role != Role.OTHER) {
            read(message, parts, skipped);
        }
        var calls = new ArrayList<String>();
        message.objects("toolCalls").forEach(call -> calls.add(call.requireText("id")));
        String callId = role == Role.TOOL ? message.requireText("toolCallId") : null;
        return new RunMessage(message.text("id"), role, parts, calls, callId, skipped, withoutNulls(message));
    }

    private static Role role(RequestFields message) {
        return switch (message.requireText("role")) {
            case "user" -> Role.USER;
            case "assistant" -> Role.AGENT;
            case "system", "developer" -> Role.PROGRAM;
            case "tool" -> Role.TOOL;
            default -> Role.OTHER; // activity, reasoning, and roles of later versions
        };
    }

    private static void read(RequestFields message, List<Part> parts, List<String> skipped) {
        if (message.get("content").isTextual()) {
            parts.add(MessageParts.text(message.get("content").textValue()));
            return;
        }
        for (RequestFields part : message.objects("content")) {
            String type = part.requireText("type");
            if (type.equals("text")) {
                parts.add(MessageParts.text(part.has("text") ? String.valueOf(part.text("text")) : ""));
            } else if (MEDIA.contains(type)
                    && "data".equals(part.object("source").text("type"))) {
                parts.add(file(type, part.object("source")));
            } else {
                skipped.add(
                        MEDIA.contains(type)
                                ? "%s: its bytes are not in the message".formatted(part.param("source"))
                                : "%s: there is no such part".formatted(part.param("type")));
            }
        }
    }

    private static Part file(String type, RequestFields source) {
        String mime = source.requireText("mimeType");
        String name = type + "." + mime.substring(mime.indexOf('/') + 1).replaceAll("[^A-Za-z0-9].*", "");
        return MessageParts.file(name, mime, source.requireText("value"));
    }

    private static ObjectNode withoutNulls(RequestFields message) {
        ObjectNode copy = message.json().deepCopy();
        for (Iterator<String> names = copy.fieldNames(); names.hasNext(); ) {
            if (copy.get(names.next()).isNull()) {
                names.remove();
            }
        }
        return copy;
    }

    String text() {
        return MessageParts.text(parts, "");
    }

    boolean isEmpty() {
        return MessageParts.isBlank(parts);
    }
}
