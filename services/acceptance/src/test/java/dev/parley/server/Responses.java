package dev.parley.server;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.parley.platform.testkit.HttpDouble;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Responses of OpenAI's Responses API, as its stream has them. */
final class Responses {
    private Responses() {}

    /** An item with a text of the assistant. */
    static String message(String text) {
        return "{\"type\":\"message\",\"id\":\"msg_1\",\"status\":\"completed\",\"role\":\"assistant\",\"content\":"
                + "[{\"type\":\"output_text\",\"text\":" + quoted(text) + ",\"annotations\":[]}]}";
    }

    /**
     * An item that calls a tool.
     *
     * @param arguments as JSON
     */
    static String call(String id, String tool, String arguments) {
        return "{\"type\":\"function_call\",\"id\":\"fc_%1$s\",\"call_id\":\"%1$s\",\"name\":\"%2$s\",\"arguments\":%3$s,\"status\":\"completed\"}"
                .formatted(id, tool, quoted(arguments));
    }

    private static String quoted(String text) {
        return new TextNode(text).toString();
    }

    /** The events of a completed response. */
    static List<String> events(String... items) {
        var events = new ArrayList<String>();
        for (int i = 0; i < items.length; i++) {
            events.add(
                    "{\"type\":\"response.output_item.done\",\"output_index\":%d,\"item\":%s}".formatted(i, items[i]));
        }
        events.add(
                "{\"type\":\"response.completed\",\"response\":{\"id\":\"resp_1\",\"status\":\"completed\",\"model\":\"gpt-5\",\"output\":["
                        + String.join(",", items) + "],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}");
        return events;
    }

    static HttpDouble.Reply reply(String... items) {
        return HttpDouble.events(events(items));
    }

    /** The events as the body of a stream. */
    static String stream(String... items) {
        return events(items).stream().map(event -> "data: " + event + "\n\n").collect(Collectors.joining());
    }
}
