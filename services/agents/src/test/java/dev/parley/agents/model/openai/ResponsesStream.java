package dev.parley.agents.model.openai;

import java.util.ArrayList;
import java.util.List;

/** The events of a response that has these items, as the Responses API streams them. */
final class ResponsesStream {
    private final List<String> events = new ArrayList<>();
    private final List<String> items = new ArrayList<>();

    ResponsesStream() {
        events.add("{\"type\":\"response.created\",\"response\":{\"id\":\"resp_1\",\"status\":\"in_progress\"}}");
    }

    /** Any item, in one piece. */
    ResponsesStream item(String item) {
        int index = items.size();
        events.add("{\"type\":\"response.output_item.added\",\"output_index\":%d,\"item\":%s}".formatted(index, item));
        events.add("{\"type\":\"response.output_item.done\",\"output_index\":%d,\"item\":%s}".formatted(index, item));
        items.add(item);
        return this;
    }

    /** An item that is preceded by its pieces. */
    ResponsesStream item(String item, String deltaType, String... deltas) {
        int index = items.size();
        events.add("{\"type\":\"response.output_item.added\",\"output_index\":%d,\"item\":%s}".formatted(index, item));
        for (String delta : deltas) {
            events.add("{\"type\":\"%s\",\"output_index\":%d,\"delta\":\"%s\"}".formatted(deltaType, index, delta));
        }
        events.add("{\"type\":\"response.output_item.done\",\"output_index\":%d,\"item\":%s}".formatted(index, item));
        items.add(item);
        return this;
    }

    ResponsesStream event(String event) {
        events.add(event);
        return this;
    }

    static String message(String id, String text) {
        return """
                {"id":"%s","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text",\
                "annotations":[],"logprobs":[],"text":"%s"}]}""".formatted(id, text);
    }

    static String functionCall(String callId, String name, String escapedArguments) {
        return """
                {"id":"fc_%s","type":"function_call","status":"completed","arguments":"%s","call_id":"%s","name":"%s"}""".formatted(callId, escapedArguments, callId, name);
    }

    /** All events, with a completed response. */
    List<String> completed() {
        return ended("completed", "null");
    }

    List<String> ended(String status, String incomplete) {
        var allEvents = new ArrayList<>(events);
        allEvents.add("""
                {"type":"response.%s","response":{"id":"resp_1","status":"%s","incomplete_details":%s,\
                "model":"gpt-5-2025-08-07","output":[%s],"usage":{"input_tokens":100,"input_tokens_details":\
                {"cached_tokens":40},"output_tokens":20,"output_tokens_details":{"reasoning_tokens":5},"total_tokens":120}}}""".formatted(status, status, incomplete, String.join(",", items)));
        return allEvents;
    }

    /** The events so far, without a final event. */
    List<String> brokenOff() {
        return List.copyOf(events);
    }
}
