package dev.parley.agents.model.anthropic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.agents.model.Agents;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.ModelRequests;
import dev.parley.agents.model.anthropic.MessagesRequest.Paused;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.agents.model.wire.VerbatimJson;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.ProviderConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessagesRequestTest {
    private static final AnthropicOptions PLAIN = new AnthropicOptions(false, true);
    private static final String BETA = "thinking-binding-controls-2026-08-01";
    private static final String MARK = "\"cache_control\":{\"type\":\"ephemeral\"}";

    private final ModelRequests conversation = new ModelRequests()
            .agent(agent("claude-opus-4-6", ThinkingLevel.NONE))
            .tools("search");

    @TempDir
    private Path folder;

    private static Agent agent(String model, ThinkingLevel thinking) {
        return Agents.of("anthropic", model, null, null, thinking, Map.of());
    }

    private static Agent agent(Map<String, String> options) {
        return Agents.of("anthropic", "claude-opus-4-6", null, null, ThinkingLevel.NONE, options);
    }

    private VerbatimJson body(ModelRequest request, AnthropicOptions switches, Paused paused) throws Exception {
        var attachments = new Attachments(new BlobStore(folder, 1 << 20));
        String body = MessagesRequest.body(request, "anthropic", attachments, switches, paused);
        StrictMessages.check(body, switches.bind(request.agent().model()) ? BETA : "");
        return VerbatimJson.parse(body);
    }

    private VerbatimJson body() throws Exception {
        return body(conversation.request(), PLAIN, Paused.NOT);
    }

    private String messages() throws Exception {
        return body().at("messages").text();
    }

    private static Message own(Block... blocks) {
        return new Message(Role.ASSISTANT, List.of(blocks), false, "anthropic", "claude-opus-4-6-20260101");
    }

    private static ProviderItem item(String type, String json) {
        return new ProviderItem("anthropic", type, json);
    }

    private static Block thinking(String text) {
        String signature = StrictMessages.signature(text);
        return new Block.Thinking(
                text,
                signature,
                item(
                        "thinking",
                        "{\"type\":\"thinking\", \"thinking\":\"%s\",\"signature\":\"%s\"}"
                                .formatted(text, signature)));
    }

    private static Block call(String id) {
        return new Block.ToolCall(
                id,
                "search",
                "{\"n\":1.0}",
                item(
                        "tool_use",
                        "{\"type\":\"tool_use\", \"id\":\"%s\",\"name\":\"search\",\"input\":{\"n\":1.0}}"
                                .formatted(id)));
    }

    private static Block foreignCall(String id, String arguments) {
        return new Block.ToolCall(id, "search", arguments, null);
    }

    @Test
    void writesASimpleRequest() throws Exception {
        conversation.user("hi");

        assertEquals(
                "{\"model\":\"claude-opus-4-6\",\"max_tokens\":32000,\"stream\":true,"
                        + "\"system\":[{\"type\":\"text\",\"text\":\"Be brief.\"}],"
                        + "\"tools\":[{\"name\":\"search\",\"input_schema\":{\"type\":\"object\"}}],"
                        + "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}]}",
                body().text());
    }

    @Test
    @Tag("K4")
    @Tag("P37")
    void toolResultsComeFirstInOneMessageInCallOrder() throws Exception {
        // Given
        conversation
                .user("go")
                .message(own(call("toolu_1"), call("toolu_2")))
                .message(Message.text(Role.USER, "hurry"))
                .message(Message.toolResult("toolu_2", "error: no", true))
                .message(Message.toolResult("toolu_1", "", false));

        // When
        String messages = messages();

        // Then
        assertTrue(
                messages.endsWith("{\"role\":\"user\",\"content\":["
                        + "{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_1\"},"
                        + "{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_2\",\"content\":\"error: no\",\"is_error\":true},"
                        + "{\"type\":\"text\",\"text\":\"hurry\"}]}]"),
                messages);
    }

    @Test
    @Tag("K5")
    @Tag("K6")
    void thinkingGoesBackUnchangedAndInItsPlace() throws Exception {
        // Given
        String redacted = "{\"type\":\"redacted_thinking\",\"data\":\"Em+/\\/=\"}";
        conversation
                .agent(agent("claude-opus-4-6", ThinkingLevel.HIGH))
                .user("go")
                .message(own(
                        thinking(""),
                        new Block.RedactedThinking("Em+//=", item("redacted_thinking", redacted)),
                        thinking("I think."),
                        call("toolu_1")))
                .message(Message.toolResult("toolu_1", "x", false));

        // When
        String messages = messages();

        // Then
        assertTrue(messages.contains("\"assistant\",\"content\":["
                + "{\"type\":\"thinking\", \"thinking\":\"\",\"signature\":\"" + StrictMessages.signature("") + "\"},"
                + redacted + ",{\"type\":\"thinking\", \"thinking\":\"I think.\",\"signature\":\""
                + StrictMessages.signature("I think.") + "\"},"
                + "{\"type\":\"tool_use\", \"id\":\"toolu_1\",\"name\":\"search\",\"input\":{\"n\":1.0}}]"));
    }

    @Test
    @Tag("K5")
    void omitsUnsignedAndTrailingThinking() throws Exception {
        // Given
        conversation
                .user("go")
                .message(own(thinking("to no end")))
                .user("what?")
                .message(own(
                        new Block.Thinking(
                                "cut", null, item("thinking", "{\"type\":\"thinking\",\"thinking\":\"cut\"}")),
                        new Block.Text(" ", item("text", "{\"type\":\"text\",\"text\":\" \"}")),
                        new Block.Text("ok", item("text", "{\"type\":\"text\",\"text\":\"ok\"}")),
                        thinking("to no end")))
                .user("go on");

        // Then
        assertEquals(
                "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"go\"},{\"type\":\"text\",\"text\":\"what?\"}]},"
                        + "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"ok\"}]},"
                        + "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"go on\"}]}]",
                messages());
    }

    @Test
    @Tag("P27")
    void convertsMessagesOfAnotherProviderWithValidIds() throws Exception {
        // Given
        var foreign = new Message(
                Role.ASSISTANT,
                List.of(
                        new Block.Thinking("hm", null, new ProviderItem("openai", "reasoning", "{\"id\":\"rs\"}")),
                        new Block.Text("Looking.", new ProviderItem("openai", "message", "{\"id\":\"m\"}")),
                        foreignCall("call#1", "{\"b\": 1,\"a\":2.0,\"a\":\"\\u0000\"}"),
                        foreignCall("call_2", "[1]"),
                        foreignCall("call_3", "{\"cut")),
                false,
                "openai",
                "gpt-5");
        conversation
                .user("go")
                .message(foreign)
                .message(Message.toolResult("call#1", "one", false))
                .message(Message.toolResult("call_2", "two", false))
                .message(Message.toolResult("call_3", "three", false))
                .message(new Message(Role.ASSISTANT, List.of(foreignCall("call_2", "{}")), false, "openai", "gpt-5"))
                .message(Message.toolResult("call_2", "again", false));

        // When
        String messages = messages();

        // Then
        String callId = "call_1_" + Integer.toHexString("call#1".hashCode());
        assertTrue(
                messages.contains("{\"type\":\"text\",\"text\":\"Looking.\"},{\"type\":\"tool_use\",\"id\":\"" + callId
                        + "\",\"name\":\"search\",\"input\":{\"b\": 1,\"a\":2.0,\"a\":\"\\u0000\"}}"),
                messages);
        assertTrue(messages.contains("\"input\":{\"_invalid\":\"[1]\"}"), messages);
        assertTrue(messages.contains("\"input\":{\"_invalid\":\"{\\\"cut\"}"), messages);
        assertTrue(messages.contains("\"tool_use_id\":\"" + callId + "\",\"content\":\"one\""), messages);
        assertTrue(messages.contains("\"tool_use_id\":\"call_2_2\",\"content\":\"again\""), messages);
        assertFalse(messages.contains("hm"), messages);
    }

    @Test
    @Tag("K22")
    void marksAnInterruptedMessage() throws Exception {
        // Given
        conversation
                .user("tell me")
                .message(new Message(
                        Role.ASSISTANT,
                        List.of(thinking("hm"), Block.text("Once upon"), call("toolu_1")),
                        true,
                        "anthropic",
                        "claude-opus-4-6"))
                .user("go on");

        // Then
        assertTrue(messages()
                .contains(
                        "[{\"type\":\"text\",\"text\":\"Once upon\"},{\"type\":\"text\",\"text\":\"[interrupted]\"}]"));
    }

    @Test
    void describesADamagedHistoryInText() throws Exception {
        // Given
        conversation
                .message(own(Block.text("I was here first"), call("toolu_1"), call("toolu_2")))
                .message(Message.toolResult("toolu_2", "two", false))
                .message(Message.toolResult("toolu_2", "twice", false))
                .message(Message.toolResult("toolu_9", "nobody asked", false))
                .message(own(
                        new Block.Raw(item(
                                "server_tool_use", "{\"type\":\"server_tool_use\",\"id\":\"srv_1\",\"input\":{}}")),
                        call("toolu_3")));

        // When
        String messages = messages();

        // Then
        assertTrue(messages.startsWith(
                "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"[What was said before"));
        assertTrue(messages.contains("{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_1\","
                + "\"content\":\"[There is no result of this call.]\",\"is_error\":true}"));
        assertTrue(messages.contains("shown:]\\ntwice\"}") && messages.contains("shown:]\\nnobody asked\"}"), messages);
        assertFalse(messages.contains("srv_1"), messages);
        assertTrue(messages.endsWith(
                "\"toolu_3\",\"content\":\"[There is no result of this call.]\",\"is_error\":true}]}]"));
    }

    @Test
    void toolsOfTheHistoryAreDeclaredWhereThereAreNoOthers() throws Exception {
        conversation
                .tools()
                .user("go")
                .message(own(call("toolu_1")))
                .message(Message.toolResult("toolu_1", "x", false));

        assertTrue(body().text()
                .contains("\"tools\":[{\"name\":\"search\",\"description\":\"Not there any more.\",\"input_schema\":"
                        + "{\"type\":\"object\"}}],\"tool_choice\":{\"type\":\"none\"}"));
    }

    @Test
    @Tag("I83")
    void declaresToolsThatMayNotBeCalled() throws Exception {
        VerbatimJson body = body(conversation.user("go").toolsNotAllowed().request(), PLAIN, Paused.NOT);

        assertEquals("{\"type\":\"none\"}", body.at("tool_choice").text());
        assertEquals(1, body.at("tools").items().size());
    }

    @ParameterizedTest
    @Tag("I135")
    @CsvSource(delimiter = '|', textBlock = """
                    claude-opus-4-6 | required    | {"type":"any"}
                    claude-opus-4-6 | tool:search | {"type":"tool","name":"search"}
                    claude-sonnet-4 | required    | {"type":"any"}
                    claude-opus-5   | required    | {"type":"any"}
                    claude-fable-5  | required    |
                    """)
    void requiredToolChoiceDisablesThinking(String model, String option, @Nullable String choice) throws Exception {
        conversation
                .user("go")
                .agent(Agents.of("anthropic", model, null, null, ThinkingLevel.HIGH, Map.of("toolChoice", option)));

        VerbatimJson body = body();

        assertEquals(choice == null ? "" : choice, body.at("tool_choice").text());
        boolean thinks = List.of("enabled", "adaptive")
                .contains(body.at("thinking", "type").string());
        assertEquals(choice == null, thinks, body.text());
    }

    @Test
    @Tag("I135")
    void canDisableParallelToolCalls() throws Exception {
        conversation.user("go").agent(agent(Map.of("parallelToolCalls", "false")));

        assertEquals(
                "{\"type\":\"auto\",\"disable_parallel_tool_use\":true}",
                body().at("tool_choice").text());
    }

    @Test
    void summaryComesFirstAndItsRequestLast() throws Exception {
        conversation.startOverWith("They met.");
        conversation.user("so").message(own(Block.text("yes")));

        VerbatimJson body = body(conversation.summaryRequest(), PLAIN, Paused.NOT);

        List<VerbatimJson> messages = body.at("messages").items();
        assertEquals(
                "What was said before, in short:\n\nThey met.",
                messages.getFirst().at("content").items().getFirst().at("text").string());
        assertTrue(messages.getLast().text().contains("Summarise the conversation"));
    }

    @Test
    void marksReusedPartsForTheCache() throws Exception {
        // Given
        conversation
                .tools("one", "two")
                .user("a")
                .message(own(Block.text("b")))
                .user("c")
                .message(own(call("toolu_1")));
        conversation.message(Message.toolResult("toolu_1", "d", false)).user("e");

        // When
        String body = body(conversation.request(), new AnthropicOptions(true, true), Paused.NOT)
                .text();

        // Then
        assertTrue(body.contains("\"text\":\"Be brief.\"," + MARK + "}]"), body);
        assertTrue(body.contains("{\"name\":\"two\",\"input_schema\":{\"type\":\"object\"}," + MARK + "}]"), body);
        assertTrue(body.contains("{\"type\":\"text\",\"text\":\"c\"," + MARK + "}]"), body);
        assertTrue(body.contains("{\"type\":\"text\",\"text\":\"e\"," + MARK + "}]"), body);
        assertEquals(4, body.split("cache_control", -1).length - 1);
    }

    @Test
    @Tag("I75")
    void writesFilesAsImageDocumentOrText() throws Exception {
        // Given
        conversation.message(new Message(
                Role.USER,
                List.of(
                        Block.text("look"),
                        file("a.png", "image/png", "\u0089PNG"),
                        file("b.pdf", "application/pdf", "%PDF"),
                        file("c.csv", "text/csv", "1,2")),
                false,
                null,
                null));

        // Then
        assertTrue(
                messages()
                        .contains(
                                "{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":\"iVBORw==\"}},"
                                        + "{\"type\":\"document\",\"source\":{\"type\":\"base64\",\"media_type\":\"application/pdf\",\"data\":\"JVBERg==\"},"
                                        + "\"title\":\"b.pdf\"},{\"type\":\"text\",\"text\":\"[file 'c.csv', text/csv]\\n1,2\"}"));
    }

    private Block.File file(String name, String type, String bytes) throws IOException {
        var blob = new BlobStore(folder, 1 << 20)
                .put(new ByteArrayInputStream(bytes.getBytes(StandardCharsets.ISO_8859_1)));
        return new Block.File(name, type, blob.size(), blob.sha256(), null, null);
    }

    @Test
    void sendsOutputOptionsOfTheAgent() throws Exception {
        // Given
        conversation
                .agent(agent(Map.of(
                        "responseSchema", "{\"type\":\"object\", \"n\":1.0}",
                        "hostedTools", "[{\"type\":\"web_search_20250305\",\"name\":\"web_search\",\"n\":1.0}]",
                        "stop", "END\n\nSTOP\n",
                        "serviceTier", "standard_only")))
                .user("go");

        // When
        VerbatimJson body = body();

        // Then
        assertEquals(
                "{\"format\":{\"type\":\"json_schema\",\"schema\":{\"type\":\"object\", \"n\":1.0}}}",
                body.at("output_config").text());
        assertEquals(
                "{\"type\":\"web_search_20250305\",\"name\":\"web_search\",\"n\":1.0}",
                body.at("tools").items().getLast().text());
        assertEquals("[\"END\",\"STOP\"]", body.at("stop_sequences").text());
        assertEquals("standard_only", body.at("service_tier").string());
    }

    @Test
    void declaresAHostedToolOnce() throws Exception {
        // Given
        String bash = "{\"type\":\"bash_20250124\",\"name\":\"bash\"}";
        conversation
                .agent(agent(Map.of("hostedTools", "[" + bash + "]")))
                .tools("bash", "search")
                .user("go");

        // Then
        assertEquals(
                List.of("search", "bash"),
                body().at("tools").items().stream()
                        .map(tool -> tool.at("name").string())
                        .toList());
    }

    @Test
    void describesAnImageOfAnotherModelInText() throws Exception {
        var raw = new ProviderItem("openai", "image_generation_call", "{\"result\":null}");
        var picture = new Block.File("image.png", "image/png", 7, "ab", null, raw);
        conversation
                .user("draw")
                .message(new Message(Role.ASSISTANT, List.of(Block.text("Here:"), picture), false, "openai", "gpt-5"))
                .user("thanks");

        assertTrue(messages().contains("[image.png was shown]"), messages());
        assertFalse(messages().contains("image_generation_call"), messages());
    }

    @ParameterizedTest
    @ValueSource(strings = {"%s", "{\"image_url\":\"%s\"}"})
    void sendsAnImageOfAToolResult(String result) throws Exception {
        // Given
        conversation
                .user("look")
                .message(own(call("toolu_1")))
                .message(Message.toolResult("toolu_1", result.formatted("data:image/jpeg;base64,iVBORw=="), false));

        // Then
        assertTrue(
                messages()
                        .contains(
                                "{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_1\",\"content\":[{\"type\":\"image\","
                                        + "\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":\"iVBORw==\"}}]"),
                messages());
    }

    @ParameterizedTest
    @ValueSource(strings = {"hostedTools", "responseSchema"})
    void rejectsAnOptionThatIsNotJsonByName(String option) {
        conversation.agent(agent(Map.of(option, "[{"))).user("go");

        var failure = assertThrows(ModelFailure.class, this::body);

        assertEquals(ErrorCategory.INVALID_REQUEST, failure.category());
        assertEquals("the option '" + option + "' of the agent 'default' is not valid JSON", failure.detail());
    }

    @Test
    void resumesAPausedAnswer() throws Exception {
        // Given
        String toolUse =
                "{\"type\":\"server_tool_use\",\"id\":\"srv_1\",\"name\":\"web_search\",\"input\":{\"q\":1.0}}";
        conversation.user("go");

        // When
        VerbatimJson body = body(
                conversation.request(),
                PLAIN,
                new Paused(List.of(new Block.Raw(item("server_tool_use", toolUse))), "cont_1"));

        // Then
        assertEquals(
                "{\"role\":\"assistant\",\"content\":[" + toolUse + "]}",
                body.at("messages").items().getLast().text());
        assertEquals("cont_1", body.at("container").string());
    }

    // ---- parameters by model

    @ParameterizedTest
    @Tag("K24")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "claude-3-5-haiku-20241022 | HIGH   | -    | -                                            | -      | 8192",
                "claude-3-7-sonnet-latest  | LOW    | -    | {'type':'enabled','budget_tokens':1024}      | -      | 17024",
                "claude-opus-4-1-20250805  | HIGH   | -    | {'type':'enabled','budget_tokens':16000}     | -      | 32000",
                "claude-sonnet-4-20250514  | MEDIUM | 5000 | {'type':'enabled','budget_tokens':3750}      | -      | 5000",
                "claude-sonnet-4-5         | HIGH   | 1300 | -                                            | -      | 1300",
                "claude-haiku-4-5-20251001 | NONE   | -    | -                                            | -      | 16000",
                "claude-opus-4-6           | HIGH   | -    | {'type':'adaptive'}                          | high   | 32000",
                "claude-sonnet-4-6         | NONE   | -    | -                                            | -      | 32000",
                "claude-opus-4-7           | LOW    | -    | {'type':'adaptive','display':'summarized'}   | low    | 32000",
                "claude-opus-4-8           | NONE   | -    | {'type':'disabled'}                          | -      | 32000",
                "claude-opus-5-20260701    | MEDIUM | -    | {'type':'adaptive','display':'summarized'}   | medium | 32000",
                "claude-fable-5            | NONE   | -    | {'type':'adaptive'}                          | low    | 32000",
                "claude-haiku-5-5          | NONE   | -    | {'type':'disabled'}                          | -      | 32000",
                "claude-opus-5-5           | HIGH   | 999999 | {'type':'adaptive','display':'summarized',BIND} | high | 128000",
                "claude-sonnet-5-5         | NONE   | -    | {'type':'adaptive',BIND}                     | low    | 32000",
                "claude-fable-5-1          | LOW    | -    | {'type':'adaptive','display':'summarized',BIND} | low | 32000",
                "claude-haiku-5-5          | MEDIUM | -    | {'type':'adaptive','display':'summarized',BIND} | medium | 32000"
            })
    void writesThinkingInTheFormOfEachModel(
            String model,
            ThinkingLevel level,
            @Nullable Integer maxTokens,
            @Nullable String thinking,
            @Nullable String effort,
            long expected)
            throws Exception {
        // Given
        conversation
                .agent(Agents.of("anthropic", model, null, maxTokens, level, Map.of()))
                .user("go");

        // When
        VerbatimJson body = body();

        // Then
        String form = thinking == null
                ? ""
                : thinking.replace("BIND", "'block_binding':{'prefix_mismatch_behavior':'drop_block'}")
                        .replace('\'', '"');
        assertEquals(form, body.at("thinking").text());
        assertEquals(
                effort == null ? "" : effort, body.at("output_config", "effort").string());
        assertEquals(expected, body.at("max_tokens").number());
    }

    @ParameterizedTest
    @Tag("K24")
    @EnumSource(ThinkingLevel.class)
    void settingsAreValidForEveryModel(ThinkingLevel level) throws Exception {
        for (String model : List.of(
                "claude-3-haiku-20240307",
                "claude-3-7-sonnet-20250219",
                "claude-opus-4-20250514",
                "claude-haiku-4-5",
                "claude-opus-4-5-20251101",
                "claude-opus-4-6",
                "claude-opus-4-7",
                "claude-sonnet-5",
                "claude-opus-5",
                "claude-fable-5",
                "claude-mythos-preview",
                "claude-fable-5-2",
                "claude-mythos-5-1",
                "claude-opus-5-5",
                "claude-sonnet-5-5",
                "claude-haiku-5-5")) {
            for (Integer maxTokens : new Integer[] {null, 1, 1024, 1025, 1366, 200_000}) {
                for (Double temperature : new Double[] {null, 0.0, 1.7}) {
                    var requests = new ModelRequests()
                            .agent(sampling(model, temperature, 0.9, maxTokens, level))
                            .tools("search")
                            .user("go")
                            .message(new Message(
                                    Role.ASSISTANT,
                                    List.of(thinking("hm"), call("toolu_1")),
                                    false,
                                    "anthropic",
                                    model))
                            .message(Message.toolResult("toolu_1", "x", false));
                    body(requests.request(), new AnthropicOptions(true, true), Paused.NOT);
                }
            }
        }
    }

    private static Agent sampling(
            String model,
            @Nullable Double temperature,
            @Nullable Double topP,
            @Nullable Integer maxTokens,
            ThinkingLevel thinking) {
        return new Agent(
                null,
                "default",
                "",
                "",
                AgentMode.ALL,
                false,
                "anthropic",
                model,
                null,
                "",
                List.of(),
                List.of(),
                temperature,
                topP,
                maxTokens,
                thinking,
                Agent.Limits.DEFAULT,
                Map.of(),
                List.of());
    }

    @Test
    void sendsAgentSettingsUnchangedToAnUnknownModel() throws Exception {
        // Given
        conversation
                .agent(sampling("minimax-m3", 1.3, 0.9, 900_000, ThinkingLevel.LOW))
                .user("go");
        var attachments = new Attachments(new BlobStore(folder, 1 << 20));

        // When
        var body = VerbatimJson.parse(
                MessagesRequest.body(conversation.request(), "anthropic", attachments, PLAIN, Paused.NOT));

        // Then
        assertEquals("1.3", body.at("temperature").text());
        assertEquals("0.9", body.at("top_p").text());
        assertEquals("900000", body.at("max_tokens").text());
        assertEquals(
                "{\"type\":\"enabled\",\"budget_tokens\":1024}",
                body.at("thinking").text());
    }

    @Test
    @Tag("K24")
    void doesNotStartThinkingWithinATurn() throws Exception {
        conversation
                .agent(agent("claude-sonnet-4-5", ThinkingLevel.HIGH))
                .user("go")
                .message(new Message(Role.ASSISTANT, List.of(foreignCall("c", "{}")), false, "openai", "gpt-5"))
                .message(Message.toolResult("c", "x", false));
        assertFalse(body().at("thinking").isPresent());

        conversation.message(own(Block.text("done"))).user("next");
        assertTrue(body().at("thinking").isPresent());
    }

    @Test
    void recognizesModelFamiliesByVendorSpellings() {
        assertEquals(ModelCapabilities.of("claude-opus-4-6"), ModelCapabilities.of("anthropic/claude-opus-4.6"));
        assertEquals(
                ModelCapabilities.of("claude-opus-4-6"), ModelCapabilities.of("us.anthropic.claude-opus-4-6-v1:0"));
        assertEquals(ModelCapabilities.of("claude-haiku-4-5"), ModelCapabilities.of("claude-haiku-4-5@20251001"));
        assertEquals(ModelCapabilities.of("claude-opus-5-5"), ModelCapabilities.of("claude-opus-6"));
    }

    @Test
    void bindingAndCacheCanBeTurnedOff() {
        assertTrue(switches(Map.of()).bind("claude-opus-5-5"));
        assertTrue(switches(Map.of()).cache());
        assertFalse(switches(Map.of()).bind("claude-opus-5"));
        assertFalse(switches(Map.of("thinkingBinding", "off")).bind("claude-opus-5-5"));
        assertFalse(switches(Map.of("promptCache", "off")).cache());
    }

    private static AnthropicOptions switches(Map<String, String> options) {
        return AnthropicOptions.of(new ProviderConfig(
                "anthropic",
                "anthropic",
                URI.create("http://h"),
                null,
                Map.of(),
                null,
                ProviderConfig.Timeouts.DEFAULT,
                null,
                options));
    }

    @Test
    @Tag("P27")
    void requestsOfRandomHistoriesAreValid() throws Exception {
        for (long seed = 0; seed < 400; seed++) {
            var random = new Random(seed);
            var requests = new ModelRequests()
                    .agent(agent(
                            random.nextBoolean() ? "claude-sonnet-4-5" : "claude-opus-5-5",
                            ThinkingLevel.values()[random.nextInt(4)]));
            if (random.nextBoolean()) {
                requests.tools("search");
            }
            String model = requests.request().agent().model();
            for (int i = random.nextInt(12); i >= 0; i--) {
                requests.message(message(random, model));
            }
            try {
                body(requests.request(), new AnthropicOptions(true, true), Paused.NOT);
            } catch (AssertionError e) {
                throw new AssertionError(
                        "seed " + seed + ": " + requests.request().messages(), e);
            }
        }
    }

    private static Message message(Random random, String model) {
        String id = "t" + random.nextInt(3) + (random.nextInt(4) == 0 ? "#" : "");
        return switch (random.nextInt(5)) {
            case 0 -> Message.text(Role.USER, "hi");
            case 1 -> Message.toolResult(id, "x", random.nextBoolean());
            case 2 -> Message.text(Role.USER, " ");
            default -> {
                boolean own = random.nextBoolean();
                var blocks = new ArrayList<Block>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    switch (random.nextInt(4)) {
                        case 0 -> blocks.add(thinking("hm"));
                        case 1 -> blocks.add(Block.text("so"));
                        case 2 -> blocks.add(new Block.Text("", item("text", "{\"type\":\"text\",\"text\":\"\"}")));
                        default -> {
                            String name = own ? "own" + random.nextInt(1 << 30) : id + i;
                            blocks.add(own ? call(name) : foreignCall(name, "nothing"));
                        }
                    }
                }
                yield new Message(
                        Role.ASSISTANT,
                        blocks,
                        random.nextInt(6) == 0,
                        own ? "anthropic" : "openai",
                        own ? model : "gpt-5");
            }
        };
    }
}
