package dev.parley.agents.model.anthropic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.agents.model.Agents;
import dev.parley.agents.model.ModelAnswer;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.ModelRequests;
import dev.parley.agents.model.RecordedStream;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.agents.model.wire.GeneratedJson;
import dev.parley.agents.model.wire.ProviderKeys;
import dev.parley.agents.model.wire.VerbatimJson;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.ProviderConfig;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.platform.worker.Cancellation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnthropicProviderTest {
    private static final String USE =
            "{\"type\":\"server_tool_use\",\"id\":\"srvtoolu_1\",\"name\":\"web_search\",\"input\":{\"q\":1.0}}";

    private final ModelRequests conversation =
            new ModelRequests().agent(agent("claude-opus-4-6")).tools("search", "read");
    private final RecordedStream recorded = new RecordedStream();

    @TempDir
    private Path folder;

    private HttpDouble server;
    private AnthropicProvider provider;

    @BeforeEach
    void start() throws IOException {
        server = new HttpDouble();
        provider = provider(ProviderConfig.Timeouts.DEFAULT, Map.of());
    }

    @AfterEach
    void stop() {
        provider.close();
        server.close();
    }

    private AnthropicProvider provider(ProviderConfig.Timeouts timeouts, Map<String, String> headers) {
        var config = new ProviderConfig(
                "anthropic", "anthropic", server.url(), "env:KEY", headers, null, timeouts, null, Map.of());
        var secrets = new ProviderKeys(new Secrets(Map.of("KEY", "sk-ant-secret-123456"), Set.of("env:KEY")));
        return new AnthropicProvider(config, secrets, new Attachments(new BlobStore(folder, 1 << 20)));
    }

    private static Agent agent(String model) {
        return Agents.of("anthropic", model, null, null, ThinkingLevel.MEDIUM, Map.of());
    }

    /** Makes the next call and checks that its requests are valid for the API. */
    private ModelAnswer call() throws Exception {
        ModelAnswer answer = provider.call(conversation.request(), recorded, new Cancellation());
        for (HttpDouble.Seen request : server.seen()) {
            StrictMessages.check(request.body(), request.header("anthropic-beta"));
        }
        return answer;
    }

    private ModelFailure failure() {
        return assertThrows(
                ModelFailure.class, () -> provider.call(conversation.request(), recorded, new Cancellation()));
    }

    @Test
    @Tag("K5")
    @Tag("P37")
    void completesATurnWithTools() throws Exception {
        // Given
        conversation.user("find it");
        server.answers(
                HttpDouble.events(new MessagesStream()
                        .thinking("Two at once.")
                        .text("Looking.")
                        .call("toolu_1", "search", "{\\\"b\\\": 1,", "\\\"a\\\":2.0}")
                        .call("toolu_2", "read")
                        .stopped("tool_use")),
                HttpDouble.events(
                        new MessagesStream().thinking("").text("Here.").stopped("end_turn")),
                HttpDouble.events(new MessagesStream().text("Welcome.").stopped("end_turn")));

        // When
        ModelAnswer first = call();
        conversation.answered("anthropic", first).results(first.blocks(), "found", "read");
        ModelAnswer second = call();
        conversation.answered("anthropic", second).user("thanks");
        call();

        // Then
        assertEquals(FinishReason.TOOL_CALLS, first.finish());
        assertEquals(FinishReason.STOP, second.finish());
        assertEquals("Looking.Here.Welcome.", recorded.text());
        HttpDouble.Seen request = server.seen().getFirst();
        assertEquals("POST /messages", request.method() + " " + request.path());
        assertEquals("sk-ant-secret-123456", request.header("x-api-key"));
        assertEquals("2023-06-01", request.header("anthropic-version"));
        assertEquals("", request.header("anthropic-beta"));
        String history = VerbatimJson.parse(server.lastBody()).at("messages").text();
        for (Block block : first.blocks()) {
            assertTrue(block.raw() != null && history.contains(block.raw().json()), history);
        }
        assertTrue(history.contains("\"input\":{\"b\": 1,\"a\":2.0}}"), history);
    }

    @Test
    void requestsDroppingOfUnboundThinkingBlocks() throws Exception {
        // Given
        provider.close();
        provider = provider(ProviderConfig.Timeouts.DEFAULT, Map.of("Anthropic-Beta", "mine-2026-01-01"));
        conversation.agent(agent("claude-opus-5-5")).user("go");
        server.answers(HttpDouble.events(new MessagesStream().text("ok").stopped("end_turn")));

        // When
        call();

        // Then
        assertEquals(
                "mine-2026-01-01,thinking-binding-controls-2026-08-01",
                server.seen().getFirst().header("anthropic-beta"));
        assertTrue(server.lastBody().contains("{\"prefix_mismatch_behavior\":\"drop_block\"}"));
    }

    @Test
    void resumesAPausedAnswerUntilItEnds() throws Exception {
        // Given
        String found = "{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"srvtoolu_1\",\"content\":[]}";
        conversation.user("go");
        server.answers(
                HttpDouble.events(new MessagesStream()
                        .text("Searching.")
                        .block(USE)
                        .stopped("pause_turn", ",\"container\":{\"id\":\"cont_1\"}")),
                HttpDouble.events(
                        new MessagesStream().block(found).text("Found.").stopped("end_turn")),
                HttpDouble.events(new MessagesStream().text("Bye.").stopped("end_turn")));

        // When
        ModelAnswer answer = call();

        // Then
        assertEquals(FinishReason.STOP, answer.finish());
        assertEquals(new Usage(150, 40, 10, 80, 20, null), answer.usage());
        assertEquals("Searching.\n\nFound.", Message.text(answer.blocks()));
        assertEquals("Searching.\n\nFound.", recorded.text());
        VerbatimJson body = VerbatimJson.parse(server.lastBody());
        assertTrue(
                body.at("messages").text().endsWith("[{\"type\":\"text\",\"text\":\"Searching.\"}," + USE + "]}]"),
                body.text());
        assertEquals("cont_1", body.at("container").string());

        // When
        conversation.answered("anthropic", answer).user("bye");
        call();

        // Then
        assertTrue(server.lastBody().contains(USE + "," + found + ",{\"type\":\"text\",\"text\":\"Found.\"}"));
    }

    @Test
    void limitsTheResumptionsOfAPausedAnswer() throws Exception {
        conversation.user("go");
        server.answers(Collections.nCopies(
                        9, HttpDouble.events(new MessagesStream().block(USE).stopped("pause_turn")))
                .toArray(HttpDouble.Reply[]::new));

        ModelAnswer answer = provider.call(conversation.request(), recorded, new Cancellation());

        assertEquals(5, server.seen().size());
        assertEquals(FinishReason.UNKNOWN, answer.finish());
        assertEquals(5 * 75, answer.usage().input());
    }

    @Test
    @Tag("P26")
    void returnsLongAndUnusualTextsUnchanged() throws Exception {
        // Given
        String unusual =
                "{\"n\":9007199254740993,\"f\":1.0,\"twice\":1,\"twice\":2,\"z\":\"a\\u0000b\\ud83d😀\\/\",\"a\":null}";
        String megabyte = "é😀".repeat(350_000);
        String unknownBlock = "{\"type\":\"new_thing\",\"odd\":" + unusual + ",\"long\":\"" + megabyte + "\"}";
        conversation.user("go");
        server.answers(
                HttpDouble.events(new MessagesStream()
                        .block(unknownBlock)
                        .text(megabyte)
                        .call("toolu_1", "search", unusual.replace("\\", "\\\\").replace("\"", "\\\""))
                        .stopped("tool_use")),
                HttpDouble.events(new MessagesStream().text("ok").stopped("end_turn")));

        // When
        ModelAnswer answer = call();
        conversation.answered("anthropic", answer).results(answer.blocks(), "x");
        call();

        // Then
        assertTrue(server.lastBody().contains(unknownBlock + ",{\"type\":\"text\",\"text\":\"" + megabyte + "\"}"));
        assertTrue(server.lastBody().contains("\"name\":\"search\",\"input\":" + unusual + "}"));
        assertEquals(unusual, Message.toolCalls(answer.blocks()).getFirst().arguments());
    }

    @Test
    @Tag("P24")
    @Tag("P26")
    void returnsGeneratedItemsUnchanged() throws Exception {
        for (long seed = 0; seed < 60; seed++) {
            String members = new GeneratedJson(new Random(seed)).members(4);
            String item = "{\"type\":\"thing\"" + (members.isEmpty() ? "" : "," + members) + "}";
            var requests = new ModelRequests().agent(agent("claude-opus-4-6")).user("go");
            server.answers(
                    HttpDouble.events(
                            new MessagesStream().block(item).text("ok").stopped("end_turn")),
                    HttpDouble.events(new MessagesStream().text("ok").stopped("end_turn")));

            requests.answered("anthropic", provider.call(requests.request(), recorded, new Cancellation()))
                    .user("again");
            provider.call(requests.request(), recorded, new Cancellation());

            assertTrue(server.lastBody().contains(item), "seed " + seed + ": " + server.lastBody());
        }
    }

    @ParameterizedTest
    @Tag("I67")
    @Tag("K23")
    @CsvSource(
            delimiter = '|',
            value = {
                "400|invalid_request_error|messages.0: bad|INVALID_REQUEST",
                "400|invalid_request_error|prompt is too long: 210000 tokens > 200000 maximum|CONTEXT_TOO_LONG",
                "400|invalid_request_error|input length and `max_tokens` exceed context limit: 1 + 2 > 2|CONTEXT_TOO_LONG",
                "401|authentication_error|invalid x-api-key sk-ant-secret-123456|AUTH",
                "402|billing_error|pay|AUTH",
                "403|permission_error|no|AUTH",
                "404|not_found_error|model: x|NOT_FOUND",
                "413|request_too_large|big|CONTEXT_TOO_LONG",
                "429|rate_limit_error|slow down|RATE_LIMIT",
                "500|api_error|oops|SERVER",
                "504|timeout_error|late|TIMEOUT",
                "529|overloaded_error|Overloaded|OVERLOADED"
            })
    void mapsErrorResponsesToCategories(int status, String type, String message, ErrorCategory category) {
        conversation.user("go");
        server.answers(HttpDouble.json(
                status,
                "{\"type\":\"error\",\"error\":{\"type\":\"%s\",\"message\":\"%s\"},\"request_id\":\"req_1\"}"
                        .formatted(type, message)));

        ModelFailure failure = failure();

        assertEquals(category, failure.category(), failure.detail());
        assertFalse(failure.detail().contains("secret"), failure.detail());
    }

    @Test
    void distinguishesARateLimitFromASpendLimit() {
        // Given
        conversation.user("go");
        server.answers(
                HttpDouble.json(
                        429, "{\"error\":{\"type\":\"rate_limit_error\",\"message\":\"m\"}}", "retry-after", "7"),
                HttpDouble.json(
                        429,
                        "{\"error\":{\"type\":\"rate_limit_error\",\"message\":\"m\",\"details\":{\"error_code\":\"enforced_spend_limit_reached\"}}}"));

        // When
        ModelFailure passes = failure();
        ModelFailure stays = failure();

        // Then
        assertEquals(Duration.ofSeconds(7), passes.retryAfter());
        assertEquals(ErrorCategory.RATE_LIMIT, passes.category());
        assertEquals(ErrorCategory.AUTH, stays.category());
        assertNull(stays.retryAfter());
    }

    @Test
    void rejectsInvalidAndTruncatedResponses() {
        // Given
        conversation.user("go");
        server.answers(
                HttpDouble.body(413, "text/html", "<html>too big</html>"),
                HttpDouble.body(200, "text/html", "<html>login</html>"),
                HttpDouble.body(200, "text/event-stream", ""),
                HttpDouble.json(200, ""),
                HttpDouble.stream(stream -> stream.bytes("data: {\"type\":\"message_sto")),
                HttpDouble.events(new MessagesStream().text("so far").brokenOff()),
                HttpDouble.events("{\"type\":"));

        // Then
        assertEquals(ErrorCategory.CONTEXT_TOO_LONG, failure().category());
        assertEquals(ErrorCategory.SERVER, failure().category());
        assertEquals(ErrorCategory.NETWORK, failure().category());
        assertEquals(ErrorCategory.SERVER, failure().category());
        assertEquals(ErrorCategory.NETWORK, failure().category());
        assertEquals(ErrorCategory.NETWORK, failure().category());
        assertEquals(ErrorCategory.SERVER, failure().category());
        assertEquals("so far", recorded.text());
    }

    @Test
    void timesOutWithoutDataOtherThanPings() {
        // Given
        conversation.user("go");
        provider.close();
        provider = provider(
                new ProviderConfig.Timeouts(
                        Duration.ofSeconds(5), Duration.ofMillis(200), Duration.ofMillis(200), Duration.ofSeconds(30)),
                Map.of());
        var closed = new CountDownLatch(2);
        server.answers(
                HttpDouble.stream(stream -> stream.event("{\"type\":\"ping\"}").untilClosed(closed)),
                HttpDouble.stream(stream -> {
                    for (String event : new MessagesStream().text("x").brokenOff()) {
                        stream.event(event);
                    }
                    stream.untilClosed(closed);
                }));

        // When
        ModelFailure first = failure();
        ModelFailure second = failure();

        // Then
        assertEquals("TIMEOUT no data within 200 ms", first.category() + " " + first.detail());
        assertEquals("TIMEOUT no further data within 200 ms", second.category() + " " + second.detail());
    }

    @Test
    void completeAnswerSurvivesAnOpenOrBrokenConnection() throws Exception {
        // Given
        conversation.user("go");
        provider.close();
        provider = provider(
                new ProviderConfig.Timeouts(
                        Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofMillis(300), Duration.ofSeconds(30)),
                Map.of());
        var closed = new CountDownLatch(1);
        List<String> events = new MessagesStream().text("ok").stopped("end_turn");
        server.answers(HttpDouble.open(events, closed), HttpDouble.broken(events));

        // When
        ModelAnswer open = call();
        ModelAnswer broken = call();

        // Then
        assertEquals("ok", Message.text(open.blocks()));
        assertEquals("ok", Message.text(broken.blocks()));
        assertTrue(closed.await(10, TimeUnit.SECONDS));
    }

    @Test
    void sendsNoKeyIfNoneIsConfigured() throws Exception {
        // Given
        var config = new ProviderConfig(
                "gateway",
                "anthropic",
                server.url(),
                null,
                Map.of("Authorization", "Bearer x", "Anthropic-Version", "2099-01-01"),
                null,
                ProviderConfig.Timeouts.DEFAULT,
                null,
                Map.of());
        conversation.user("go");
        server.answers(HttpDouble.events(new MessagesStream().text("ok").stopped("end_turn")));
        try (var keyless = new AnthropicProvider(
                config,
                new ProviderKeys(new Secrets(Map.of(), Set.of())),
                new Attachments(new BlobStore(folder, 1 << 20)))) {
            // When
            ModelAnswer answer = keyless.call(conversation.request(), recorded, new Cancellation());

            // Then
            assertEquals("gateway", answer.blocks().getFirst().raw().provider());
            assertEquals("", server.seen().getFirst().header("x-api-key"));
            assertEquals("2099-01-01", server.seen().getFirst().header("anthropic-version"));
        }
    }
}
