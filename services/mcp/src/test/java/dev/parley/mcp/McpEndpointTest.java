package dev.parley.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.config.ProcessRole;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The endpoint over HTTP, without the API, which is not part of this module. */
class McpEndpointTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String KEY = "sk-sentinel-mcp-key";
    private static final String META = """
            "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}""";

    private static EmbeddedServer server;
    private static HttpClient client;

    @BeforeAll
    static void start() {
        var properties = new HashMap<String, Object>(Map.of("parley.admin-key", KEY, "micronaut.server.port", -1));
        for (ProcessRole role : ProcessRole.values()) {
            properties.put("parley.role." + role.code(), "true");
        }
        server = ApplicationContext.run(EmbeddedServer.class, properties);
        client = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    private static HttpResponse<String> send(String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(server.getURI() + path))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .header("Accept", "application/json, text/event-stream");
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> post(String body, String... headers) throws IOException, InterruptedException {
        var allHeaders = new java.util.ArrayList<>(List.of("Authorization", "Bearer " + KEY));
        allHeaders.addAll(List.of(headers));
        return send("POST", "/mcp", body, allHeaders.toArray(String[]::new));
    }

    /** A request of an earlier version. */
    private static JsonNode legacy(String method, String params) throws Exception {
        var answer = post(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}".formatted(method, params),
                "MCP-Protocol-Version",
                "2025-11-25");
        assertEquals(200, answer.statusCode(), answer.body());
        return JSON.readTree(answer.body());
    }

    /** A request of a version without initialize. */
    private static HttpResponse<String> modern(String method, String params, String... headers) throws Exception {
        var allHeaders = new java.util.ArrayList<>(List.of("MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method));
        allHeaders.addAll(List.of(headers));
        String allParams = params.isEmpty() ? META : META + "," + params;
        return post(
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"%s\",\"params\":{%s}}".formatted(method, allParams),
                allHeaders.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "DELETE"})
    void rejectsGetAndDelete(String method) throws Exception {
        var answer = send(method, "/mcp", null, "Authorization", "Bearer " + KEY);
        assertEquals(405, answer.statusCode());
        assertEquals("POST", answer.headers().firstValue("Allow").orElseThrow());
        assertEquals(405, send(method, "/mcp", null).statusCode(), "without a key, too");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bearer wrong", "Basic YTpi"})
    @Tag("Q9")
    void missingOrInvalidKeyReturnsTheMetadataUrl(String key) throws Exception {
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
        var answer = key.isEmpty() ? send("POST", "/mcp", body) : send("POST", "/mcp", body, "Authorization", key);

        assertEquals(401, answer.statusCode());
        String challenge = answer.headers().firstValue("WWW-Authenticate").orElseThrow();
        String metadata = "/.well-known/oauth-protected-resource/mcp\"";
        assertTrue(challenge.startsWith("Bearer ") && challenge.endsWith(metadata), challenge);
        assertTrue(challenge.contains("resource_metadata=\"http://127.0.0.1:" + server.getPort()), challenge);
        assertEquals(-32600, JSON.readTree(answer.body()).at("/error/code").asInt(), answer.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/mcp"})
    void servesResourceMetadataAtBothPaths(String suffix) throws Exception {
        var answer = send("GET", "/.well-known/oauth-protected-resource" + suffix, null);
        assertEquals(200, answer.statusCode());
        JsonNode json = JSON.readTree(answer.body());
        assertEquals(
                "http://127.0.0.1:" + server.getPort() + "/mcp",
                json.get("resource").asText());
        assertEquals("header", json.at("/bearer_methods_supported/0").asText());
        assertTrue(json.path("authorization_servers").isMissingNode(), json.toString());
    }

    @Test
    void metadataNamesTheTokenIssuers() {
        JsonNode json = MetadataController.metadata("https://parley.example/mcp", List.of("https://login.example"));
        assertEquals(
                "[\"https://login.example\"]", json.get("authorization_servers").toString());
    }

    @ParameterizedTest
    @CsvSource({"http://evil.example, 403", "null, 403", "http://localhost:1, 200"})
    @Tag("Q9")
    void rejectsForeignOrigins(String origin, int status) throws Exception {
        var answer = post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", "Origin", origin);
        assertEquals(status, answer.statusCode());
        assertEquals(status == 200, answer.body().contains("result"), answer.body());
    }

    @Test
    void initializeCreatesNoSession() throws Exception {
        var answer = post("""
                {"jsonrpc":"2.0","id":1,"method":"initialize",
                 "params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}""");
        JsonNode result = JSON.readTree(answer.body()).get("result");
        assertEquals("2025-11-25", result.get("protocolVersion").asText());
        assertTrue(result.at("/capabilities/tools").isObject());
        assertTrue(result.at("/capabilities/resources").isObject());
        assertTrue(result.at("/capabilities/prompts").isObject());
        assertTrue(answer.headers().firstValue("Mcp-Session-Id").isEmpty());

        var noted = post(
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
                "Mcp-Session-Id",
                "of another server");
        assertEquals(202, noted.statusCode());
        assertEquals("", noted.body());
        assertEquals("{}", legacy("ping", "{}").get("result").toString());
    }

    @Test
    void discoverReturnsTheSupportedVersions() throws Exception {
        // When
        JsonNode result = JSON.readTree(modern("server/discover", "").body()).get("result");

        // Then
        assertEquals("2026-07-28", result.at("/supportedVersions/0").asText());
        assertEquals("2025-11-25", result.at("/supportedVersions/1").asText());
        assertEquals("complete", result.get("resultType").asText());
        assertEquals(
                "parley",
                result.get("_meta")
                        .get("io.modelcontextprotocol/serverInfo")
                        .get("name")
                        .asText());
        assertTrue(result.get("ttlMs").asInt() > 0);
        assertEquals("private", result.get("cacheScope").asText());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "initialize",
                "ping",
                "logging/setLevel",
                "completion/complete",
                "subscriptions/listen",
                "no/such"
            })
    void unknownMethodReturns404(String method) throws Exception {
        var answer = modern(method, "");
        assertEquals(404, answer.statusCode());
        JsonNode json = JSON.readTree(answer.body());
        assertEquals(-32601, json.at("/error/code").asInt());
        assertEquals(7, json.get("id").asInt());
    }

    @Test
    void earlierVersionsReturnErrorsWithHttp200() throws Exception {
        assertEquals(
                -32601, legacy("resources/subscribe", "{}").at("/error/code").asInt());
        assertEquals(
                -32602,
                legacy("tools/call", "{\"name\":\"none\"}").at("/error/code").asInt());
        assertEquals(-32602, legacy("tools/call", "{}").at("/error/code").asInt());
        assertEquals(
                -32602,
                legacy("tools/list", "{\"cursor\":\"x\"}").at("/error/code").asInt());
        JsonNode unknown = legacy("resources/read", "{\"uri\":\"test://none\"}");
        assertEquals(-32002, unknown.at("/error/code").asInt());
        assertEquals("test://none", unknown.at("/error/data/uri").asText());
    }

    @Test
    void unknownResourceIsInvalidParamsSince2026() throws Exception {
        JsonNode json = JSON.readTree(modern("resources/read", "\"uri\":\"test://none\"", "Mcp-Name", "test://none")
                .body());
        assertEquals(-32602, json.at("/error/code").asInt());
        assertEquals("test://none", json.at("/error/data/uri").asText());
    }

    @Test
    void listsAllToolsOnOnePageInAStableOrder() throws Exception {
        JsonNode first = legacy("tools/list", "{}").get("result");
        JsonNode second = JSON.readTree(modern("tools/list", "").body()).get("result");

        assertEquals(
                McpTool.all().size() - 2, first.get("tools").size(), "all but those that answer in a person's name");
        assertFalse(first.has("nextCursor"));
        assertEquals(first.get("tools"), second.get("tools"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "answer_approval | {\"session\":\"s\",\"approval\":\"a\",\"answer\":\"once\"}",
                "complete_task | {\"task\":\"t\",\"value\":\"yes\"}"
            })
    @Tag("Q11")
    void wildcardKeyCannotAnswerApprovalsOrTasks(String tool, String arguments) throws Exception {
        assertFalse(legacy("tools/list", "{}").toString().contains("\"" + tool + "\""));
        JsonNode refused = legacy("tools/call", "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments))
                .get("result");
        assertTrue(refused.get("isError").asBoolean());
        assertTrue(refused.at("/content/0/text").asText().contains("mcp.answer"), refused.toString());
    }

    @Test
    void bothVersionsListAndGetPrompts() throws Exception {
        assertEquals(
                "{\"prompts\":[]}", legacy("prompts/list", "{}").get("result").toString());
        JsonNode modern = JSON.readTree(modern("prompts/list", "").body()).get("result");
        assertEquals("complete", modern.get("resultType").asText());
        assertEquals(0, modern.get("ttlMs").asInt(-1));
        JsonNode unknown = JSON.readTree(
                modern("prompts/get", "\"name\":\"none\"", "Mcp-Name", "none").body());
        assertEquals(-32602, unknown.at("/error/code").asInt(), unknown.toString());
        assertEquals(-32602, legacy("prompts/get", "{}").at("/error/code").asInt());
        assertEquals(
                -32602,
                legacy("prompts/list", "{\"cursor\":1}").at("/error/code").asInt());
    }

    @Test
    void rejectsBatchesOversizedAndMalformedMessages() throws Exception {
        var batch = post("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]");
        assertEquals(400, batch.statusCode());
        assertEquals(-32600, JSON.readTree(batch.body()).at("/error/code").asInt());

        var large = post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + "x".repeat(4 << 20) + "\"}");
        assertEquals(413, large.statusCode(), "refused before it is read, as every route does");

        var broken = post("{");
        assertEquals(400, broken.statusCode());
        assertEquals(-32700, JSON.readTree(broken.body()).at("/error/code").asInt());
        assertFalse(JSON.readTree(broken.body()).has("id"));
    }

    @Test
    void rejectsAnUnknownVersion() throws Exception {
        String list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";
        var answer = post(list, "MCP-Protocol-Version", "1900-01-01");
        assertEquals(400, answer.statusCode());
        assertEquals(-32022, JSON.readTree(answer.body()).at("/error/code").asInt());
        var noted = post(
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", "MCP-Protocol-Version", "1900-01-01");
        assertEquals(400, noted.statusCode());
    }

    @Test
    void toolFailureIsAToolErrorWithoutStructuredContent() throws Exception {
        JsonNode wrong = legacy("tools/call", "{\"name\":\"recall\",\"arguments\":{\"question\":1}}")
                .get("result");
        assertTrue(wrong.get("isError").asBoolean());
        assertFalse(wrong.has("structuredContent"));
        assertTrue(wrong.at("/content/0/text").asText().contains("query"), wrong.toString());

        JsonNode nowhere = legacy("tools/call", "{\"name\":\"list_sessions\"}").get("result");
        assertTrue(nowhere.get("isError").asBoolean());
        assertFalse(nowhere.has("structuredContent"));
        assertFalse(nowhere.toString().contains(KEY));
    }

    @Test
    void callWithAProgressTokenReturnsAnEventStream() throws Exception {
        var answer =
                modern("tools/call", "\"name\":\"ask_agent\",\"arguments\":{\"text\":\"x\"}", "Mcp-Name", "ask_agent");
        assertEquals(
                "application/json", answer.headers().firstValue("Content-Type").orElseThrow());

        String call = """
                {"jsonrpc":"2.0","id":9,"method":"tools/call",
                 "params":{"_meta":{"progressToken":"t"},"name":"ask_agent","arguments":{"text":"x"}}}""";
        var stream = post(call, "MCP-Protocol-Version", "2025-11-25");
        assertTrue(stream.headers().firstValue("Content-Type").orElseThrow().startsWith("text/event-stream"));
        assertEquals("no", stream.headers().firstValue("X-Accel-Buffering").orElseThrow());
        List<JsonNode> messages = stream.body()
                .lines()
                .filter(line -> line.startsWith("data: "))
                .map(line -> read(line.substring(6)))
                .toList();
        assertEquals("notifications/progress", messages.getFirst().get("method").asText());
        assertEquals("t", messages.getFirst().at("/params/progressToken").asText());
        assertEquals(1, messages.getFirst().at("/params/progress").asInt());
        assertEquals(9, messages.getLast().get("id").asInt());
        assertTrue(messages.getLast().at("/result/isError").asBoolean(), "nothing answers behind it");
    }

    private static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
