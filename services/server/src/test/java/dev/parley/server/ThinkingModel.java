package dev.parley.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A model behind OpenAI's Responses API that reads and thinks for banks: it finds a boat, searches once before it answers, and
 * fails where it reads of a parrot.
 */
final class ThinkingModel implements AutoCloseable {
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

    private final HttpServer server;
    private final AtomicInteger failures = new AtomicInteger();
    private final List<String> thoughts = new CopyOnWriteArrayList<>();

    ThinkingModel() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** How often it has failed: where it reads of a parrot, with an error, and then with nonsense. */
    int failures() {
        return failures.get();
    }

    /** What it did when it was asked to think. */
    List<String> thoughts() {
        return List.copyOf(thoughts);
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode request = JSON.readTree(exchange.getRequestBody());
            boolean fails = request.path("input").toString().contains("parrot");
            if (fails && failures.incrementAndGet() == 1) {
                exchange.sendResponseHeaders(500, -1);
                return;
            }
            byte[] bytes = stream(fails ? said("hm") : item(request)).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private ObjectNode item(JsonNode request) {
        if (request.path("tools").isEmpty()) {
            String asked = request.path("input").toString();
            return said(
                    !asked.contains("greenhouse") ? FACTS : asked.contains("by the agent itself") ? GARDENER : GARDEN);
        }
        boolean searches = thoughts.isEmpty();
        thoughts.add(searches ? "search" : "answer");
        return searches
                ? JSON.createObjectNode()
                        .put("type", "function_call")
                        .put("id", "fc_1")
                        .put("call_id", "call_1")
                        .put("name", "search")
                        .put("arguments", "{\"query\":\"boat Marlin\"}")
                        .put("status", "completed")
                : said("The boat is called Marlin. [m1]");
    }

    private static ObjectNode said(String text) {
        ObjectNode said = JSON.createObjectNode()
                .put("type", "message")
                .put("id", "msg_1")
                .put("status", "completed")
                .put("role", "assistant");
        said.putArray("content")
                .addObject()
                .put("type", "output_text")
                .put("text", text)
                .putArray("annotations");
        return said;
    }

    private static String stream(ObjectNode item) {
        return "data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":%s}\n\n".formatted(item)
                + "data: {\"type\":\"response.completed\",\"response\":{\"id\":\"r\",\"status\":\"completed\",\"model\":\"gpt-5\",\"output\":[%s],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\n"
                        .formatted(item);
    }
}
