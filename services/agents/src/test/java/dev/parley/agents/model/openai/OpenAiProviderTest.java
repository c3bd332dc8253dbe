package dev.parley.agents.model.openai;

import static dev.parley.agents.model.openai.ResponsesStream.functionCall;
import static dev.parley.agents.model.openai.ResponsesStream.message;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.content.Role;
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
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
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
import org.junit.jupiter.params.provider.ValueSource;

class OpenAiProviderTest {
    private static final String REASONING =
            "{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"I think.\"}],\"encrypted_content\":\"gAAA+/=\"}";

    private final ModelRequests conversation =
            new ModelRequests().agent(agent("gpt-5")).tools("search");
    private final RecordedStream recorded = new RecordedStream();

    @TempDir
    private Path folder;

    private HttpDouble server;
    private OpenAiProvider provider;
    private BlobStore blobs;

    @BeforeEach
    void start() throws IOException {
        server = new HttpDouble();
        blobs = new BlobStore(folder, 1 << 20);
        provider = provider(ProviderConfig.Timeouts.DEFAULT);
    }

    @AfterEach
    void stop() {
        provider.close();
        server.close();
    }

    private OpenAiProvider provider(ProviderConfig.Timeouts timeouts) {
        var config = new ProviderConfig(
                "openai",
                "openai",
                server.url(),
                "env:KEY",
                Map.of("OpenAI-Organization", "org-1"),
                null,
                timeouts,
                null,
                Map.of());
        var secrets = new ProviderKeys(new Secrets(Map.of("KEY", "sk-secret-123456"), Set.of("env:KEY")));
        return new OpenAiProvider(config, secrets, new Attachments(blobs));
    }

    private static Agent agent(String model) {
        return Agents.of("openai", model, null, null, ThinkingLevel.NONE, Map.of());
    }

    /** Makes the next call and checks that its request is valid for the API. */
    private ModelAnswer call() throws Exception {
        ModelAnswer answer = provider.call(conversation.request(), recorded, new Cancellation());
        StrictResponses.check(server.lastBody());
        return answer;
    }

    private ModelFailure failure() {
        return assertThrows(
                ModelFailure.class, () -> provider.call(conversation.request(), recorded, new Cancellation()));
    }

    private String input() throws IOException {
        return VerbatimJson.parse(server.lastBody()).at("input").text();
    }

    @Test
    @Tag("P17")
    @Tag("P18")
    @Tag("P19")
    void returnsAnAnswerWithToolCallsItemByItem() throws Exception {
        // Given
        conversation.user("find it");
        String call = functionCall("call_1", "search", "{\\\"b\\\":1,\\\"a\\\":2.0}");
        server.answers(HttpDouble.events(new ResponsesStream()
                .item(REASONING, "response.reasoning_summary_text.delta", "I th", "ink.")
                .item(call, "response.function_call_arguments.delta", "{\\\"b\\\":1,", "\\\"a\\\":2.0}")
                .completed()));

        // When
        ModelAnswer first = call();

        // Then
        assertEquals(FinishReason.TOOL_CALLS, first.finish());
        var toolCall = Message.toolCalls(first.blocks()).getFirst();
        assertEquals(
                "call_1 search {\"b\":1,\"a\":2.0}",
                toolCall.id() + " " + toolCall.name() + " " + toolCall.arguments());
        assertEquals("I think.", recorded.reasoning());
        assertEquals(List.of("call_1 search {\"b\":1,", "call_1 search \"a\":2.0}"), recorded.arguments());
        assertEquals(new Usage(100, 20, 5, 40, 0, null), first.usage());
        assertEquals("gpt-5-2025-08-07", first.model());

        // Given
        conversation.answered("openai", first).results(first.blocks(), "found");
        String text =
                "{\"id\":\"msg_1\",\"type\":\"message\",\"status\":\"completed\",\"phase\":\"final_answer\",\"role\":"
                        + "\"assistant\",\"content\":[{\"type\":\"output_text\",\"annotations\":[{\"type\":\"url_citation\",\"start_index\":0,"
                        + "\"end_index\":1,\"title\":\"t\",\"n\":1.0,\"url\":\"https:\\/\\/a.b\"}],\"logprobs\":[],\"text\":\"Here \"},{\"type\":\"refusal\",\"refusal\":\"not all\"}]}";
        server.answers(HttpDouble.events(new ResponsesStream()
                .item(text, "response.output_text.delta", "He", "re ", "not all")
                .completed()));

        // When
        ModelAnswer second = call();

        // Then
        String input = input();
        assertTrue(input.contains(REASONING + "," + call), input);
        assertTrue(
                input.contains("{\"type\":\"function_call_output\",\"call_id\":\"call_1\",\"output\":\"found\"}"),
                input);
        assertEquals("Here not all", Message.text(second.blocks()));
        assertEquals("Here not all", recorded.text());

        // When
        conversation.answered("openai", second).user("thanks");
        server.answers(HttpDouble.events(
                new ResponsesStream().item(message("msg_2", "ok")).completed()));
        call();

        // Then
        assertTrue(input().contains(text), "annotations, refusal and phase");
        assertEquals("Bearer sk-secret-123456", server.seen().getFirst().header("Authorization"));
        assertEquals("org-1", server.seen().getFirst().header("OpenAI-Organization"));
    }

    @ParameterizedTest
    @Tag("P20")
    @Tag("P21")
    @Tag("P25")
    @ValueSource(
            strings = {
                "{\"id\":\"fs\",\"type\":\"file_search_call\",\"status\":\"completed\",\"queries\":[\"a\"],\"results\":[{\"score\":0.50}]}",
                "{\"id\":\"ws\",\"type\":\"web_search_call\",\"status\":\"completed\",\"action\":{\"type\":\"search\",\"query\":\"q\",\"sources\":[]}}",
                "{\"id\":\"ig\",\"type\":\"image_generation_call\",\"status\":\"completed\",\"result\":\"aGk=\"}",
                "{\"id\":\"mc\",\"type\":\"mcp_call\",\"server_label\":\"s\",\"name\":\"n\",\"arguments\":\"{}\",\"output\":\"o\"}",
                "{\"id\":\"ml\",\"type\":\"mcp_list_tools\",\"server_label\":\"s\",\"tools\":[]}",
                "{\"id\":\"cp\",\"type\":\"compaction\",\"encrypted_content\":\"x\"}",
                "{\"id\":\"nt\",\"type\":\"new_thing\",\"deep\":{\"b\":1,\"a\":[1.0,{\"twice\":1,\"twice\":2}]}}"
            })
    void returnsOtherItemsUnchanged(String item) throws Exception {
        assertReturned(item);
    }

    @Test
    void storesAGeneratedImageAndReturnsItsBytes() throws Exception {
        // Given
        byte[] png = "\u0089PNG\r\n\u001a\n and so on".getBytes(StandardCharsets.ISO_8859_1);
        String base64 = Base64.getEncoder().encodeToString(png);
        String item =
                "{\"id\":\"ig_1\",\"type\":\"image_generation_call\",\"status\":\"completed\",%s\"result\":\"%s\"}";
        conversation.user("draw a cat");
        server.answers(HttpDouble.events(new ResponsesStream()
                .item(REASONING)
                .item(item.formatted("\"revised_prompt\":\"a cat\",\"size\":\"1024x1024\",", base64))
                .item(message("msg_1", "A cat."), "response.output_text.delta", "A cat.")
                .completed()));

        // When
        ModelAnswer answer = call();

        // Then
        var file = Message.files(answer.blocks()).getFirst();
        assertEquals("image.png image/png " + png.length, file.name() + " " + file.mimeType() + " " + file.size());
        Path stored = blobs.get(file.sha256()).orElseThrow();
        assertArrayEquals(png, Files.readAllBytes(stored));
        assertEquals("A cat.", Message.text(answer.blocks()));
        assertFalse((answer.blocks() + answer.raw()).contains(base64), "its bytes are in one place");
        assertTrue(String.valueOf(answer.raw()).contains("\"revised_prompt\":\"a cat\""));

        // And when
        conversation.answered("openai", answer).user("another");
        server.answers(HttpDouble.events(
                new ResponsesStream().item(message("msg_2", "ok")).completed()));
        call();

        // Then
        assertTrue(
                input().contains(REASONING + "," + item.formatted("", base64) + "," + message("msg_1", "A cat.")),
                input());

        // And when
        Files.delete(stored);
        server.answers(HttpDouble.events(
                new ResponsesStream().item(message("msg_3", "ok")).completed()));
        call();

        // Then
        assertFalse(input().contains("reasoning") || input().contains("ig_1"), input());
        assertTrue(
                input().contains(
                                "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"\\n[image.png was shown]\"}"),
                input());
    }

    @Test
    @Tag("P23")
    void aCodeInterpretersCallGoesBackWithItsOutputs() throws Exception {
        assertReturned(
                "{\"id\":\"ci\",\"type\":\"code_interpreter_call\",\"status\":\"completed\",\"code\":\"1\",\"container_id\":\"c\",\"outputs\":[{\"type\":\"logs\",\"logs\":\"1\"}]}");
    }

    private void assertReturned(String item) throws Exception {
        conversation.user("go");
        server.answers(
                HttpDouble.events(new ResponsesStream()
                        .item(item)
                        .item(message("m", "done"))
                        .completed()),
                HttpDouble.events(
                        new ResponsesStream().item(message("m2", "ok")).completed()));

        ModelAnswer answer = call();
        conversation.answered("openai", answer).user("again");
        call();

        assertTrue(input().contains(item), input());
        assertEquals(FinishReason.STOP, answer.finish());
    }

    @Test
    @Tag("P24")
    @Tag("P26")
    void returnsGeneratedItemsUnchanged() throws Exception {
        for (long seed = 0; seed < 60; seed++) {
            var json = new GeneratedJson(new Random(seed));
            String members = json.members(4);
            String item = "{\"type\":\"thing_" + seed + "\"" + (members.isEmpty() ? "" : "," + members) + "}";
            var requests = new ModelRequests().agent(agent("gpt-5")).user("go");
            server.answers(
                    HttpDouble.events(new ResponsesStream()
                            .item(item)
                            .item(message("m", "done"))
                            .completed()),
                    HttpDouble.events(
                            new ResponsesStream().item(message("m2", "ok")).completed()));

            requests.answered("openai", provider.call(requests.request(), recorded, new Cancellation()))
                    .user("again");
            provider.call(requests.request(), recorded, new Cancellation());

            assertTrue(input().contains(item), "seed " + seed + ": " + input());
        }
    }

    @Test
    @Tag("P27")
    void convertsMessagesOfAnotherProvider() throws Exception {
        // Given
        var item = new ProviderItem("anthropic", "thinking", "{\"type\":\"thinking\"}");
        conversation
                .user("find it")
                .message(new Message(
                        Role.ASSISTANT,
                        List.of(
                                new Block.Thinking("hm", "sig", item),
                                new Block.Text("Let me look.", null),
                                new Block.ToolCall("toolu_1", "search", "{\"q\": 1}", item)),
                        false,
                        "anthropic",
                        "claude-opus-5"))
                .message(Message.toolResult("toolu_1", "error: nothing", true))
                .user("and now?");
        server.answers(
                HttpDouble.events(new ResponsesStream().item(message("m", "ok")).completed()));

        // When
        call();

        // Then
        assertTrue(
                input().contains("{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"Let me look.\"},"
                        + "{\"type\":\"function_call\",\"call_id\":\"toolu_1\",\"name\":\"search\",\"arguments\":\"{\\\"q\\\": 1}\"},"
                        + "{\"type\":\"function_call_output\",\"call_id\":\"toolu_1\",\"output\":\"error: nothing\"}"),
                input());
        assertFalse(server.lastBody().contains("thinking"));
    }

    @Test
    @Tag("K22")
    void marksAnInterruptedMessage() throws Exception {
        // Given
        conversation
                .user("tell me")
                .message(new Message(Role.ASSISTANT, List.of(Block.text("Once upon")), true, "openai", "gpt-5"))
                .user("go on");
        server.answers(
                HttpDouble.events(new ResponsesStream().item(message("m", "ok")).completed()));

        // When
        call();

        // Then
        assertTrue(
                input().contains(
                                "\"Once upon\"},{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"[interrupted]\"}"),
                input());
    }

    @Test
    @Tag("I64")
    void dropsATruncatedToolCall() throws Exception {
        // Given
        conversation.user("go");
        String cut =
                "{\"id\":\"fc\",\"type\":\"function_call\",\"status\":\"incomplete\",\"arguments\":\"{\\\"a\",\"call_id\":\"c\",\"name\":\"search\"}";
        server.answers(HttpDouble.events(new ResponsesStream()
                .item(message("m", "so far"))
                .item(cut)
                .ended("incomplete", "{\"reason\":\"max_output_tokens\"}")));

        // When
        ModelAnswer answer = call();

        // Then
        assertEquals(FinishReason.LENGTH, answer.finish());
        assertEquals(List.of(), Message.toolCalls(answer.blocks()));
        assertEquals("so far", Message.text(answer.blocks()));
    }

    @Test
    @Tag("P19")
    void omitsReasoningWithoutAFollowingItem() throws Exception {
        // Given
        conversation.user("go");
        server.answers(
                HttpDouble.events(new ResponsesStream()
                        .item(REASONING)
                        .ended("incomplete", "{\"reason\":\"max_output_tokens\"}")),
                HttpDouble.events(new ResponsesStream().item(message("m", "ok")).completed()));

        // When
        ModelAnswer cut = call();
        conversation.answered("openai", cut).user("again");
        call();

        // Then
        assertEquals(FinishReason.LENGTH, cut.finish());
        assertFalse(input().contains("rs_1"), input());
    }

    @Test
    @Tag("P19")
    void rewritesTheItemAfterUnencryptedReasoning() throws Exception {
        // Given
        conversation.user("go");
        server.answers(
                HttpDouble.events(new ResponsesStream()
                        .item("{\"id\":\"rs_9\",\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":null}")
                        .item(functionCall("call_1", "search", "{}"))
                        .completed()),
                HttpDouble.events(new ResponsesStream().item(message("m", "ok")).completed()));

        // When
        ModelAnswer first = call();
        conversation.answered("openai", first).results(first.blocks(), "found");
        call();

        // Then
        assertFalse(input().contains("rs_9") || input().contains("fc_call_1"), input());
        assertTrue(input().contains("{\"type\":\"function_call\",\"call_id\":\"call_1\",\"name\":\"search\""), input());
    }

    @Test
    @Tag("P9")
    void keepsTheRawResponse() throws Exception {
        conversation.user("go");
        var events = new ResponsesStream().item(message("m", "ok")).completed();
        server.answers(HttpDouble.events(events));

        String raw = call().raw();

        assertEquals(VerbatimJson.parse(events.getLast()).at("response").text(), raw);
    }

    @Test
    void writesFilesAsImageDocumentOrText() throws Exception {
        // Given
        conversation.message(new Message(
                Role.USER,
                List.of(
                        Block.text("look"),
                        file("a.png", "image/jpeg", "\u0089PNG"),
                        file("b.pdf", "application/pdf", "%PDF-1.7"),
                        file("c.csv", "text/csv; charset=utf-8", "1,2"),
                        file("d.zip", "image/png", "ZIP"),
                        new Block.File("e.png", "image/png", 3, "0".repeat(64), null, null)),
                false,
                null,
                null));
        server.answers(
                HttpDouble.events(new ResponsesStream().item(message("m", "ok")).completed()));

        // When
        call();

        // Then
        var parts = VerbatimJson.parse(input()).items().getFirst().at("content").items();
        assertEquals(
                "data:image/png;base64,iVBORw==", parts.get(1).at("image_url").string());
        assertEquals(
                "data:application/pdf;base64,JVBERi0xLjc=",
                parts.get(2).at("file_data").string());
        assertEquals("[file 'c.csv', text/csv]\n1,2", parts.get(3).at("text").string());
        assertEquals(
                "[file 'd.zip', image/png, 3 bytes: is of a kind that cannot be shown]",
                parts.get(4).at("text").string());
        assertEquals(
                "[file 'e.png', image/png, 3 bytes: is not there any more]",
                parts.get(5).at("text").string());
    }

    private Block.File file(String name, String type, String bytes) throws IOException {
        var blob = blobs.put(new ByteArrayInputStream(bytes.getBytes(StandardCharsets.ISO_8859_1)));
        return new Block.File(name, type, blob.size(), blob.sha256(), null, null);
    }

    @ParameterizedTest
    @Tag("K24")
    @CsvSource({
        "gpt-4.1,    HIGH, , 0.3",
        "gpt-5,      HIGH, high,",
        "gpt-5-mini, NONE, ,",
        "gpt-5.2,    NONE, none, 0.3",
        "gpt-5.2,    LOW, low,",
        "o3,         MEDIUM, medium,",
        "gpt-6-astra, NONE, ,",
        "my-own,     NONE, , 0.3"
    })
    void sendsSupportedParametersToEachModel(String model, ThinkingLevel thinking, String effort, String temperature)
            throws Exception {
        // Given
        conversation
                .agent(Agents.of("openai", model, 0.3, 500, thinking, Map.of()))
                .user("go")
                .toolsNotAllowed();
        server.answers(
                HttpDouble.events(new ResponsesStream().item(message("m", "ok")).completed()));

        // When
        provider.call(conversation.request(), recorded, new Cancellation());

        // Then
        VerbatimJson body = VerbatimJson.parse(server.lastBody());
        assertEquals(
                effort == null ? "" : effort, body.at("reasoning", "effort").string());
        assertEquals(
                temperature == null ? "" : temperature, body.at("temperature").text());
        assertEquals("500", body.at("max_output_tokens").text());
        assertEquals("none", body.at("tool_choice").string());
    }

    @Test
    @Tag("I135")
    void sendsTheToolChoice() throws Exception {
        for (var choice : Map.of(
                        "required", "\"required\"", "tool:search", "{\"type\":\"function\",\"name\":\"search\"}")
                .entrySet()) {
            conversation
                    .agent(Agents.of(
                            "openai",
                            "gpt-5",
                            null,
                            null,
                            ThinkingLevel.NONE,
                            Map.of("toolChoice", choice.getKey(), "parallelToolCalls", "false")))
                    .tools("search")
                    .user("go");
            server.answers(HttpDouble.events(
                    new ResponsesStream().item(message("m", "ok")).completed()));

            provider.call(conversation.request(), recorded, new Cancellation());

            VerbatimJson body = VerbatimJson.parse(server.lastBody());
            assertEquals(choice.getValue(), body.at("tool_choice").text());
            assertEquals("false", body.at("parallel_tool_calls").text());
        }
    }

    @Test
    void sendsOutputOptionsOfTheAgent() throws Exception {
        // Given
        conversation
                .agent(Agents.of(
                        "openai",
                        "gpt-5",
                        null,
                        null,
                        ThinkingLevel.NONE,
                        Map.of(
                                "responseSchema", "{\"type\":\"object\"}",
                                "hostedTools", "[{\"type\":\"web_search\"}]",
                                "verbosity", "low")))
                .user("go");
        server.answers(
                HttpDouble.events(new ResponsesStream().item(message("m", "{}")).completed()));

        // When
        call();

        // Then
        VerbatimJson body = VerbatimJson.parse(server.lastBody());
        assertEquals(
                "{\"type\":\"object\"}", body.at("text", "format", "schema").text());
        assertEquals("low", body.at("text", "verbosity").string());
        assertEquals(
                "{\"type\":\"web_search\"}", body.at("tools").items().getLast().text());
    }

    @ParameterizedTest
    @Tag("I67")
    @CsvSource(
            delimiter = '|',
            value = {
                "400|{\"error\":{\"message\":\"bad\",\"type\":\"invalid_request_error\",\"code\":\"unsupported_value\"}}|INVALID_REQUEST",
                "400|{\"error\":{\"message\":\"too long\",\"type\":\"invalid_request_error\",\"code\":\"context_length_exceeded\"}}|CONTEXT_TOO_LONG",
                "401|{\"error\":{\"message\":\"Incorrect API key provided: sk-secret-123456.\",\"code\":\"invalid_api_key\"}}|AUTH",
                "403|{\"error\":{\"message\":\"no\"}}|AUTH",
                "404|{\"error\":{\"message\":\"no model\",\"code\":\"model_not_found\"}}|NOT_FOUND",
                "408||TIMEOUT",
                "409|{}|SERVER",
                "413||CONTEXT_TOO_LONG",
                "429|{\"error\":{\"message\":\"slow down\",\"code\":\"rate_limit_exceeded\"}}|RATE_LIMIT",
                "429|{\"error\":{\"message\":\"pay\",\"type\":\"insufficient_quota\"}}|AUTH",
                "500|{\"error\":{\"message\":\"oops\",\"type\":\"server_error\"}}|SERVER",
                "503|<html>busy</html>|OVERLOADED",
                "529|[{\"error\":{\"message\":\"busy\"}}]|OVERLOADED",
                "302||INVALID_REQUEST"
            })
    void mapsErrorResponsesToCategories(int status, String body, ErrorCategory category) {
        conversation.user("go");
        server.answers(HttpDouble.body(status, "application/json", body == null ? "" : body));

        ModelFailure failure = failure();

        assertEquals(category, failure.category(), failure.detail());
        assertFalse(failure.detail().contains("secret"), failure.detail());
    }

    @ParameterizedTest
    @CsvSource({
        "retry-after, 7, 7000",
        "retry-after-ms, 250, 250",
        "retry-after, 0.5, 500",
        "retry-after, 999999, 3600000"
    })
    void readsRetryAfterHeaders(String header, String value, long millis) {
        conversation.user("go");
        server.answers(HttpDouble.body(429, "application/json", "{}", header, value));

        assertEquals(Duration.ofMillis(millis), failure().retryAfter());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"response.failed\",\"response\":{\"error\":{\"code\":\"server_error\",\"message\":\"m\"}}}|SERVER",
                "{\"type\":\"response.failed\",\"response\":{\"error\":{\"code\":\"context_length_exceeded\",\"message\":\"m\"}}}|CONTEXT_TOO_LONG",
                "{\"type\":\"error\",\"code\":\"rate_limit_exceeded\",\"message\":\"m\",\"param\":null}|RATE_LIMIT",
                "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"m\"}}|OVERLOADED",
                "{\"type\":\"error\",\"code\":\"server_is_overloaded\",\"message\":\"m\"}|OVERLOADED",
                "{\"type\":\"error\",\"code\":\"slow_down\",\"message\":\"m\"}|OVERLOADED",
                "{\"type\":\"error\",\"code\":\"who_knows\",\"message\":\"m\"}|SERVER",
                "{\"type\":\"error\",\"code\":\"429\",\"message\":\"m\"}|RATE_LIMIT",
                "{\"type\":\"response.failed\",\"response\":{\"error\":{\"code\":\"invalid_prompt\",\"message\":\"m\"}}}|INVALID_REQUEST",
                "{\"error\":{\"message\":\"m\",\"type\":\"overloaded_error\"}}|OVERLOADED",
                "{\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"x\"}|NETWORK",
                "{\"type\":|SERVER",
                "<html>|SERVER"
            })
    void mapsErrorEventsToCategories(String event, ErrorCategory category) {
        conversation.user("go");
        server.answers(HttpDouble.events(event));

        assertEquals(category, failure().category());
    }

    @Test
    void rejectsInvalidAndTruncatedResponses() {
        // Given
        conversation.user("go");
        server.answers(
                HttpDouble.body(200, "text/html", "<html>login</html>"),
                HttpDouble.body(200, "text/event-stream", ""),
                HttpDouble.json(200, ""),
                HttpDouble.stream(stream -> stream.bytes("data: {\"type\":\"response.comp")));

        // Then
        assertEquals(ErrorCategory.SERVER, failure().category());
        assertEquals(ErrorCategory.NETWORK, failure().category());
        assertEquals(ErrorCategory.SERVER, failure().category());
        assertEquals(ErrorCategory.NETWORK, failure().category());
    }

    @Test
    void brokenStreamIsANetworkFailure() {
        // Given
        conversation.user("go");
        server.answers(HttpDouble.stream(stream -> {
            for (String event : new ResponsesStream()
                    .item(message("m", "hello"), "response.output_text.delta", "hello")
                    .brokenOff()) {
                stream.event(event);
            }
            throw new IOException("broken on purpose");
        }));

        // Then
        assertEquals(ErrorCategory.NETWORK, failure().category());
        assertEquals("hello", recorded.text());
    }

    @Test
    void completeAnswerSurvivesAnOpenOrBrokenConnection() throws Exception {
        // Given
        conversation.user("go");
        provider.close();
        provider = provider(new ProviderConfig.Timeouts(
                Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofMillis(300), Duration.ofSeconds(30)));
        var closed = new CountDownLatch(1);
        List<String> events = new ResponsesStream().item(message("m", "ok")).completed();
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
    @Tag("P17")
    void returnsItemsOfAnAliasAsItsOwn() throws Exception {
        // Given
        conversation.agent(agent("my-deployment")).user("go");
        server.answers(
                HttpDouble.events(new ResponsesStream()
                        .item(REASONING)
                        .item(message("m", "ok"))
                        .completed()),
                HttpDouble.events(
                        new ResponsesStream().item(message("m2", "ok")).completed()));

        // When
        ModelAnswer answer = provider.call(conversation.request(), recorded, new Cancellation());
        conversation.answered("openai", answer).user("again");
        provider.call(conversation.request(), recorded, new Cancellation());

        // Then
        assertEquals("my-deployment", answer.model());
        assertTrue(input().contains(REASONING + "," + message("m", "ok")), input());
    }

    @Test
    void readsAnAnswerWithoutStreaming() throws Exception {
        conversation.user("go");
        var end = new ResponsesStream()
                .item(message("m", "all at once"))
                .completed()
                .getLast();
        server.answers(
                HttpDouble.json(200, VerbatimJson.parse(end).at("response").text()));

        assertEquals("all at once", Message.text(call().blocks()));
        assertEquals("all at once", recorded.text());
    }

    @Test
    void unreachableServerIsANetworkFailure() {
        conversation.user("go");
        server.close();

        ModelFailure failure = failure();

        assertEquals(ErrorCategory.NETWORK, failure.category());
        assertNull(failure.retryAfter());
    }

    @Test
    @Tag("A3")
    void missingKeyIsNamedAndNothingIsSent() {
        // Given
        var config = new ProviderConfig(
                "openai",
                "openai",
                server.url(),
                "env:OTHER",
                Map.of(),
                null,
                ProviderConfig.Timeouts.DEFAULT,
                null,
                Map.of());
        conversation.user("go");
        try (var keyless = new OpenAiProvider(
                config, new ProviderKeys(new Secrets(Map.of(), Set.of("env:OTHER"))), new Attachments(blobs))) {
            // When
            var failure = assertThrows(
                    ModelFailure.class, () -> keyless.call(conversation.request(), recorded, new Cancellation()));

            // Then
            assertEquals(ErrorCategory.AUTH, failure.category());
            assertEquals("no API key for provider openai: the key env:OTHER is missing or empty", failure.detail());
            assertEquals(List.of(), server.seen());
        }
    }
}
