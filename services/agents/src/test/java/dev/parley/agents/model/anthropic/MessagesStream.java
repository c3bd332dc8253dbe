package dev.parley.agents.model.anthropic;

import java.util.ArrayList;
import java.util.List;

/** The events of an answer that has these blocks, as the Messages API streams them. */
final class MessagesStream {
    private final List<String> events = new ArrayList<>();
    private int index;

    MessagesStream() {
        events.add("""
                {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],\
                "model":"claude-opus-4-6-20260101","stop_reason":null,"usage":{"input_tokens":25,\
                "cache_creation_input_tokens":10,"cache_read_input_tokens":40,"output_tokens":1}}}""");
        events.add("{\"type\": \"ping\"}");
    }

    /** A block in one piece. */
    MessagesStream block(String block) {
        return block(block, "none");
    }

    /** A block in several pieces, each of which is the inside of a JSON string. */
    MessagesStream block(String block, String kind, String... pieces) {
        begin(block);
        String member = switch (kind) {
            case "input_json_delta" -> "partial_json";
            case "thinking_delta" -> "thinking";
            default -> "text";
        };
        for (String piece : pieces) {
            delta("{\"type\":\"%s\",\"%s\":\"%s\"}".formatted(kind, member, piece));
        }
        return end();
    }

    MessagesStream text(String... pieces) {
        return block("{\"type\":\"text\",\"text\":\"\"}", "text_delta", pieces);
    }

    /** Thinking with a signature that {@link StrictMessages} accepts. */
    MessagesStream thinking(String text) {
        begin("{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}");
        if (!text.isEmpty()) {
            delta("{\"type\":\"thinking_delta\",\"thinking\":\"%s\"}".formatted(text));
        }
        delta("{\"type\":\"signature_delta\",\"signature\":\"%s\"}".formatted(StrictMessages.signature(text)));
        return end();
    }

    MessagesStream call(String id, String name, String... escapedPieces) {
        return block(
                "{\"type\":\"tool_use\",\"id\":\"%s\",\"name\":\"%s\",\"input\":{}}".formatted(id, name),
                "input_json_delta",
                escapedPieces);
    }

    MessagesStream begin(String block) {
        return event("{\"type\":\"content_block_start\",\"index\":%d,\"content_block\":%s}".formatted(index, block));
    }

    MessagesStream delta(String delta) {
        return event("{\"type\":\"content_block_delta\",\"index\":%d,\"delta\":%s}".formatted(index, delta));
    }

    MessagesStream end() {
        return event("{\"type\":\"content_block_stop\",\"index\":%d}".formatted(index++));
    }

    MessagesStream event(String event) {
        events.add(event);
        return this;
    }

    /** All events, with a stop for this reason. */
    List<String> stopped(String reason) {
        return stopped(reason, "");
    }

    List<String> stopped(String reason, String moreOfDelta) {
        var allEvents = new ArrayList<>(events);
        allEvents.add("""
                {"type":"message_delta","delta":{"stop_reason":"%s","stop_sequence":null%s},"usage":{"output_tokens":20,\
                "output_tokens_details":{"thinking_tokens":5}}}""".formatted(reason, moreOfDelta));
        allEvents.add("{\"type\":\"message_stop\"}");
        return allEvents;
    }

    /** The events so far, without a stop. */
    List<String> brokenOff() {
        return List.copyOf(events);
    }
}
