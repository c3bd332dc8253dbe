package dev.parley.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A model behind OpenAI's Responses API for banks: it extracts facts about a boat, searches once before it answers, and
 * fails on texts about a parrot.
 */
final class MemoryModelDouble implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** What a person says of a garden, and what the agent does and thinks about it. */
    private static final String GARDEN = """
            {"facts": [
             {"what": "Rosa Lind built a greenhouse.", "type": "world", "kind": "event", "when": "2026-05-03", "entities": ["Rosa Lind"],
              "quote": "I built a greenhouse on the third of May"},
             {"what": "Frost killed the dahlias of Rosa Lind.", "type": "world", "kind": "event", "when": "2026-05-03T20:00:00Z",
              "entities": ["Rosa Lind"], "relations": [{"type": "caused_by", "fact": 0}], "quote": "the dahlias froze"},
             {"what": "Rosa Lind grows tomatoes in winter.", "type": "world", "kind": "conversation", "entities": ["Rosa Lind"],
              "relations": [{"type": "enables", "fact": 0}, {"type": "prevents", "fact": 1}]}]}""";

    private static final String GARDENER = """
            {"facts": [
             {"what": "The agent compared heaters for Rosa Lind.", "type": "experience", "kind": "conversation", "entities": ["Rosa Lind"]},
             {"what": "The greenhouse of Rosa Lind needs a heater.", "type": "opinion", "confidence": 0.7, "kind": "conversation",
              "entities": ["Rosa Lind"]}]}""";

    private static final String FACTS = """
            {"facts": [{"what": "Kim's yacht is called Marlin.", "type": "world", "kind": "conversation", "quote": "The boat of Kim is called Marlin."}]}""";

    private final LocalServer server = LocalServer.serial().handle("/", this::answer);
    private final AtomicInteger failures = new AtomicInteger();
    private final List<String> thoughts = new CopyOnWriteArrayList<>();

    int port() {
        return server.port();
    }

    /** The number of failures on texts about a parrot: an error first, then invalid output. */
    int failures() {
        return failures.get();
    }

    /** The steps of its reflections: {@code search} or {@code answer}. */
    List<String> thoughts() {
        return List.copyOf(thoughts);
    }

    @Override
    public void close() {
        server.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode request = JSON.readTree(exchange.getRequestBody());
            boolean fails = request.path("input").toString().contains("parrot");
            if (fails && failures.incrementAndGet() == 1) {
                exchange.sendResponseHeaders(500, -1);
                return;
            }
            LocalServer.respond(
                    exchange, "text/event-stream", Responses.stream(fails ? Responses.message("hm") : item(request)));
        }
    }

    private String item(JsonNode request) {
        if (request.path("tools").isEmpty()) {
            String input = request.path("input").toString();
            return Responses.message(
                    !input.contains("greenhouse") ? FACTS : input.contains("by the agent itself") ? GARDENER : GARDEN);
        }
        boolean searches = thoughts.isEmpty();
        thoughts.add(searches ? "search" : "answer");
        return searches
                ? Responses.call("1", "search", "{\"query\":\"boat Marlin\"}")
                : Responses.message("The boat is called Marlin. [m1]");
    }
}
