package dev.parley.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.mcp.ToolResult.Failed;
import dev.parley.mcp.ToolResult.Structured;
import dev.parley.platform.api.Api;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting for turns, with a slow, silent or broken API. */
@Timeout(30)
class TurnRunTest {
    private static final Duration SILENCE = Duration.ofMillis(50);

    private final List<String> messages = new CopyOnWriteArrayList<>();
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private final AtomicInteger polls = new AtomicInteger();
    private final CountDownLatch finished = new CountDownLatch(1);
    private HttpServer server;
    private HttpClient http;

    /** The answers of the API, by the end of the path. */
    private volatile Answers submits = exchange -> answer(exchange, 202, turn("RUNNING_MODEL"));

    private volatile Answers shows = exchange -> answer(exchange, 200, turn("RUNNING_MODEL"));
    private volatile Answers streams = exchange -> answer(exchange, 404, "{}");

    @FunctionalInterface
    private interface Answers {
        void to(HttpExchange exchange) throws IOException;
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                String path = exchange.getRequestURI().getPath();
                if (path.endsWith("/turns")) {
                    keys.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
                    submits.to(exchange);
                } else if (path.endsWith("/events")) {
                    streams.to(exchange);
                } else {
                    polls.incrementAndGet();
                    shows.to(exchange);
                }
            }
        });
        server.start();
        http = HttpClient.newHttpClient();
    }

    @AfterEach
    void stop() {
        finished.countDown();
        http.shutdownNow();
        server.stop(0);
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static String turn(String state) {
        return "{\"id\":\"t\",\"session\":\"s\",\"state\":\"%s\",\"reply\":\"%s\",\"model\":null}"
                .formatted(state, state.equals("COMPLETED") ? "hello" : "");
    }

    private ToolResult ask(String arguments) throws Exception {
        var api = new Api(
                http,
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
                new Api.Identity("Bearer x", null, null));
        var parsed = new McpArguments((ObjectNode) McpJson.read(arguments.getBytes(StandardCharsets.UTF_8)));
        return TurnRun.ask(new McpToolCall(parsed, api, "ann", "default", messages::add), SILENCE);
    }

    private static ObjectNode content(ToolResult result) {
        return assertInstanceOf(Structured.class, result).content();
    }

    @Test
    @Tag("Q3")
    void reportsProgressWhileTheAgentWorks() throws Exception {
        // Given
        streams = exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(": \n\n".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            awaitEnd();
        };
        shows = exchange -> answer(exchange, 200, turn(polls.get() > 5 ? "COMPLETED" : "RUNNING_MODEL"));

        // When
        ObjectNode content = content(ask("{\"text\":\"x\",\"wait_seconds\":20}"));

        // Then
        assertEquals("hello", content.get("reply").asText());
        assertTrue(content.get("done").asBoolean());
        assertTrue(
                messages.stream()
                                .filter(text -> text.startsWith("The agent has worked"))
                                .count()
                        >= 3,
                messages.toString());
    }

    private void awaitEnd() {
        try {
            finished.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void waitsUntilTheApiShowsTheStreamedEnd() throws Exception {
        // Given
        streams = exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("""
                    event: token
                    data: {"text":"hel"}

                    event: tool_call
                    data: {"text":"{}","tool":"time","callId":"c"}

                    event: done
                    data: {"text":"hello","state":"COMPLETED"}

                    """.getBytes(StandardCharsets.UTF_8));
        };
        shows = exchange -> answer(exchange, 200, turn(polls.get() > 4 ? "COMPLETED" : "RUNNING_MODEL"));

        // When
        ObjectNode content = content(ask("{\"text\":\"x\",\"wait_seconds\":20}"));

        // Then
        assertEquals("hello", content.get("reply").asText());
        assertTrue(messages.contains("It uses the tool time."), messages.toString());
    }

    @Test
    void pollsTheTurnWithoutAnEventStream() throws Exception {
        shows = exchange -> answer(exchange, 200, turn(polls.get() > 2 ? "COMPLETED" : "RUNNING_MODEL"));
        assertTrue(
                content(ask("{\"text\":\"x\",\"wait_seconds\":20}")).get("done").asBoolean());
    }

    @Test
    @Tag("Q4")
    void timeoutReturnsSessionAndTurn() throws Exception {
        ObjectNode content = content(ask("{\"text\":\"x\",\"wait_seconds\":1}"));
        assertFalse(content.get("done").asBoolean());
        assertEquals("s", content.get("session").asText());
        assertEquals("t", content.get("turn").asText());
        assertTrue(content.get("next").asText().contains("get_turn"));
    }

    @Test
    void unavailableApiErrorNamesTheIdempotencyKeyForTheRetry() throws Exception {
        submits =
                exchange -> answer(exchange, 503, "{\"code\":\"unavailable\",\"detail\":\"Kafka cannot be reached\"}");

        String text = assertInstanceOf(Failed.class, ask("{\"text\":\"x\"}")).text();

        assertTrue(text.startsWith("Kafka cannot be reached."), text);
        assertTrue(text.contains("'" + keys.getFirst() + "'"), text);
    }

    @Test
    void failedTurnIsAnError() throws Exception {
        submits = exchange -> answer(exchange, 200, """
                {"id":"t","session":"s","state":"FAILED","reply":"","error":{"type":"budget","message":"Too dear."}}""");
        String text = assertInstanceOf(Failed.class, ask("{\"text\":\"x\"}")).text();
        assertTrue(text.contains("Too dear (budget)."), text);
    }

    @Test
    void sameIdempotencyKeyOfTwoUsersYieldsTwoSessions() throws Exception {
        // Given
        var sessions = new CopyOnWriteArrayList<String>();
        submits = exchange -> {
            sessions.add(exchange.getRequestURI().getPath());
            answer(exchange, 200, turn("COMPLETED"));
        };
        String arguments = "{\"text\":\"x\",\"idempotency_key\":\"once\"}";

        // When
        ask(arguments);
        ask(arguments);
        var parsed = new McpArguments((ObjectNode) McpJson.read(arguments.getBytes(StandardCharsets.UTF_8)));
        var api = new Api(
                http,
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
                new Api.Identity("Bearer y", null, null));
        TurnRun.ask(new McpToolCall(parsed, api, "bob", "default", Progress.NONE), SILENCE);

        // Then
        assertEquals(List.of("once", "once", "once"), keys);
        assertEquals(sessions.get(0), sessions.get(1));
        assertFalse(sessions.get(0).equals(sessions.get(2)), sessions.toString());
    }

    @Test
    void disconnectedClientStopsTheWait() {
        // Given
        Progress disconnected = message -> {
            throw new InterruptedException();
        };
        var api = new Api(
                http,
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
                new Api.Identity("Bearer x", null, null));
        var arguments = new McpArguments(McpJson.object().put("text", "x"));

        // Then
        assertThrows(
                InterruptedException.class,
                () -> TurnRun.ask(new McpToolCall(arguments, api, "ann", "default", disconnected), SILENCE));
    }
}
