package dev.parley.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import dev.parley.platform.api.Api;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Skills as prompts; the tests define the answers of the API. */
@Timeout(30)
class PromptsTest {
    private final Map<String, String> skills = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile int status = 200;
    private volatile String page = "{\"data\":[],\"next\":null}";
    private HttpServer server;
    private HttpClient http;
    private Prompts prompts;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/projects/shop/skills", exchange -> {
            try (exchange) {
                requests.add(exchange.getRequestURI().toString());
                String name = exchange.getRequestURI().getPath().replaceFirst("/v1/projects/shop/skills/?", "");
                String body = name.isEmpty() ? page : skills.get(name);
                byte[] bytes = (body == null ? "{}" : body).getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(body == null ? 404 : status, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
        server.start();
        http = HttpClient.newHttpClient();
        URI base = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        prompts = new Prompts(new Api(http, base, new Api.Identity("Bearer x", null, null)), "shop");
    }

    @AfterEach
    void stop() {
        http.shutdownNow();
        server.stop(0);
    }

    private void skill(String name, String text, String extraMembers) {
        skills.put(name, """
                {"name": "%s", "description": "about %1$s", "text": "%s"%s}""".formatted(name, text, extraMembers));
    }

    private String text(String name, String arguments) throws Exception {
        ObjectNode prompt = prompts.get(name, McpJson.read(arguments.getBytes(StandardCharsets.UTF_8)));
        assertEquals(1, prompt.path("messages").size());
        assertEquals("user", prompt.at("/messages/0/role").asText());
        assertEquals("text", prompt.at("/messages/0/content/type").asText());
        return prompt.at("/messages/0/content/text").asText();
    }

    private McpException refusal(String name, String arguments) {
        return assertThrows(McpException.class, () -> text(name, arguments));
    }

    @Test
    void listContainsDescriptionsButNotTexts() throws InterruptedException {
        // Given
        page = """
                {"data": [{"name": "plan-trips", "description": "How to plan a trip", "text": "# Trips", "enabled": true},
                          {"name": "off", "description": "no", "text": "no", "enabled": false}], "next": "abc"}""";

        // When
        JsonNode first = prompts.list(null);
        prompts.list("abc");

        // Then
        assertEquals(1, first.path("prompts").size());
        assertEquals("plan-trips", first.at("/prompts/0/name").asText());
        assertEquals("How to plan a trip", first.at("/prompts/0/description").asText());
        assertEquals("request", first.at("/prompts/0/arguments/0/name").asText());
        assertFalse(first.at("/prompts/0/arguments/0/required").asBoolean(true));
        assertFalse(first.toString().contains("# Trips"));
        assertEquals("abc", first.path("nextCursor").asText());
        assertEquals(
                List.of("/v1/projects/shop/skills?limit=20", "/v1/projects/shop/skills?cursor=abc&limit=20"), requests);
    }

    @Test
    void forbiddenListIsEmptyAndOtherErrorsAreReported() throws InterruptedException {
        status = 403;
        assertEquals("{\"prompts\":[]}", prompts.list(null).toString());
        status = 400;
        assertEquals(
                McpException.INVALID_PARAMS,
                assertThrows(McpException.class, () -> prompts.list("x")).code());
        status = 503;
        assertEquals(
                McpException.INTERNAL_ERROR,
                assertThrows(McpException.class, () -> prompts.list(null)).code());
    }

    @Test
    void promptIncludesRequiredSkillsAndTheRequest() throws Exception {
        // Given: skills that require each other, which the catalogue would reject
        skill(
                "trips",
                "Look at the weather.",
                ", \"needs\": [{\"skill\": \"calendar\", \"required\": true},"
                        + " {\"skill\": \"jokes\", \"required\": false}]");
        skill("calendar", "Dates are ISO.", ", \"needs\": [{\"skill\": \"trips\", \"required\": true}]");

        // Then
        assertEquals("Dates are ISO.\n\nLook at the weather.", text("trips", "{}"));
        assertTrue(text("trips", "{\"request\": \"To Oslo\"}").endsWith("weather.\n\nTo Oslo"));
        assertEquals(
                "about trips",
                prompts.get("trips", McpJson.object()).path("description").asText());
    }

    @Test
    void rejectsUnknownDisabledAndBrokenSkills() {
        // Given
        skill("off", "no", ", \"enabled\": false");
        skill("broken", "no", ", \"needs\": [{\"skill\": \"none\", \"required\": true}]");

        // Then
        for (String name : List.of("none", "off", "broken", "../agents")) {
            McpException refused = refusal(name, "{}");
            assertEquals(McpException.INVALID_PARAMS, refused.code());
            assertTrue(String.valueOf(refused.getMessage()).startsWith("There is no prompt '"), refused.getMessage());
        }
        assertTrue(requests.getLast().endsWith("/skills/..%2Fagents"), requests.toString());
    }

    @Test
    void limitsArgumentsAndRequiredSkills() {
        skill("trips", "Look.", "");
        for (String arguments : List.of("[]", "{\"request\": 1}", "{\"request\": \"" + "x".repeat(65_537) + "\"}")) {
            assertEquals(
                    McpException.INVALID_PARAMS, refusal("trips", arguments).code());
        }
        for (int i = 0; i < 20; i++) {
            skill("s" + i, "no", ", \"needs\": [{\"skill\": \"s%d\", \"required\": true}]".formatted(i + 1));
        }
        assertTrue(String.valueOf(refusal("s0", "{}").getMessage()).contains("requires more than 19"));
    }
}
