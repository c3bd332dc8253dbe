package dev.parley.agents.model.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.agents.model.chat.ServerQuirks.Replay;
import dev.parley.agents.model.chat.ServerQuirks.Server;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.agents.model.wire.VerbatimJson;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.platform.blob.BlobStore;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ChatCompletionRequestTest {
    @TempDir
    private Path folder;

    private final ChatTalk talk = new ChatTalk();
    private String server = "other";

    private VerbatimJson body() throws Exception {
        return body(talk.request(), ChatTalk.quirks(server));
    }

    private VerbatimJson body(ModelRequest request, ServerQuirks quirks) throws Exception {
        var attachments = new Attachments(new BlobStore(folder, 1 << 20));
        String body = ChatCompletionRequest.body(request, ChatTalk.PROVIDER, quirks, attachments);
        assertEquals(List.of(), new StrictChat(quirks.server()).faults(body));
        return VerbatimJson.parse(body);
    }

    private String messages() throws Exception {
        return body().at("messages").text();
    }

    private static VerbatimJson message(VerbatimJson body, int index) {
        return body.at("messages").items().get(index);
    }

    private static Block.ToolCall own(String id, String arguments) {
        String json = "{\"id\":\"%s\",\"type\":\"function\",\"function\":{\"name\":\"t\",\"arguments\":%s},\"x\":1.0}"
                .formatted(id, '"' + arguments.replace("\"", "\\\"") + '"');
        return ChatTalk.call(id, arguments, json);
    }

    @Test
    void writesACompleteRequest() throws Exception {
        server = "openai";
        talk.model("gpt-4.1").prompt("Be kind.").temperature(0.5).maxTokens(100).user("hi");
        talk.requests.tools("t");
        String expected = """
                {"model":"gpt-4.1","stream":true,"stream_options":{"include_usage":true,"include_obfuscation":false},\
                "messages":[{"role":"system","content":"Be kind."},{"role":"user","content":"hi"}],\
                "tools":[{"type":"function","function":{"name":"t","description":"","parameters":{"type":"object"}}}],\
                "temperature":0.5,"max_completion_tokens":100,"prompt_cache_key":"%s"}""".formatted(talk.request().sessionId());
        assertEquals(expected, body().text());
    }

    @Test
    @Tag("K3")
    @Tag("K4")
    void toolResultsFollowTheirCalls() throws Exception {
        // Given
        talk.user("go").own(Block.text("I look"), own("a", "{\"n\":9007199254740993}"), own("b", "{}"));
        talk.result("a", "one").result("b", "error: two").own(own("c", "{}")).result("c", "");

        // Then
        assertEquals("""
                [{"role":"user","content":"go"},\
                {"role":"assistant","content":"I look","tool_calls":[\
                {"id":"a","type":"function","function":{"name":"t","arguments":"{\\"n\\":9007199254740993}"},"x":1.0},\
                {"id":"b","type":"function","function":{"name":"t","arguments":"{}"},"x":1.0}]},\
                {"role":"tool","tool_call_id":"a","content":"one"},\
                {"role":"tool","tool_call_id":"b","content":"error: two"},\
                {"role":"assistant","content":null,"tool_calls":[\
                {"id":"c","type":"function","function":{"name":"t","arguments":"{}"},"x":1.0}]},\
                {"role":"tool","tool_call_id":"c","content":""}]""", messages());
    }

    @ParameterizedTest
    @CsvSource({
        "openai,no json,no json",
        "openrouter,no json,no json",
        "ollama,no json,'{\"_invalid\":\"no json\"}'",
        "vllm,'[1]','{\"_invalid\":\"[1]\"}'",
        "gemini,'{\"a\":','{\"_invalid\":\"{\\\"a\\\":\"}'",
        "other,'{\"a\":1,\"a\":2.0}','{\"a\":1,\"a\":2.0}'"
    })
    @Tag("K3")
    void writesInvalidArgumentsInTheFormOfEachServer(String kind, String arguments, String sent) throws Exception {
        // Given
        server = kind;
        Block.ToolCall signed = ChatTalk.call(
                "a",
                arguments,
                own("a", arguments)
                        .raw()
                        .json()
                        .replace("\"x\":1.0", "\"extra_content\":{\"google\":{\"thought_signature\":\"s\"}}"));

        // Then
        for (Block.ToolCall call : List.of(signed, new Block.ToolCall("a", "t", arguments, null))) {
            talk.requests.startOverWith("s");
            talk.own(call).result("a", "x");
            VerbatimJson toolCall = message(body(), 1).at("tool_calls").items().getFirst();
            assertEquals(sent, toolCall.at("function", "arguments").string());
            assertEquals(call.raw() != null, toolCall.text().contains("\"thought_signature\":\"s\""));
        }
    }

    @Test
    void convertsMessagesOfOthersWithoutTheirThinking() throws Exception {
        server = "openai";
        String id = "toolu_" + "x".repeat(50);
        talk.user("a").foreign(new Block.Thinking("hm", "s", null), new Block.ToolCall(id, "a.b", "{}", null));
        talk.result(id, "done").foreign(Block.text("b"), Block.text("c"));
        VerbatimJson body = body();
        VerbatimJson call = message(body, 1).at("tool_calls").items().getFirst();
        assertEquals("a_b", call.at("function", "name").string());
        assertEquals(call.at("id").text(), message(body, 2).at("tool_call_id").text());
        assertEquals("bc", message(body, 3).at("content").string());
        assertFalse(body.text().contains("hm"));
    }

    @Test
    void marksForeignCallsAsUnsignedForGemini() throws Exception {
        server = "gemini";
        talk.user("a").foreign(new Block.ToolCall("a", "t", "{}", null)).result("a", "x");
        talk.model("gemini-3-pro");
        assertTrue(messages().contains("skip_thought_signature_validator"));
    }

    @Test
    @Tag("K22")
    void marksAnInterruptedMessage() throws Exception {
        talk.user("a");
        talk.requests.message(
                new Message(Role.ASSISTANT, List.of(Block.text("half"), own("a", "{}")), true, ChatTalk.PROVIDER, "m"));
        talk.user("b");
        VerbatimJson message = message(body(), 1);
        assertEquals("half\n\n[interrupted]", message.at("content").string());
        assertFalse(message.at("tool_calls").isPresent());
    }

    @Test
    void omitsAMessageOfReasoningOnly() throws Exception {
        talk.user("a").own(new Block.Thinking("hm", null, ChatTalk.item("reasoning", "{\"reasoning\":\"hm\"}")));
        talk.user("b");
        assertEquals(2, body().at("messages").items().size());
    }

    @ParameterizedTest
    @CsvSource({"always,true,true", "tools,false,true", "never,false,false"})
    void replaysReasoningAsConfigured(String replay, boolean ofTalk, boolean ofTools) throws Exception {
        var quirks = ServerQuirks.of(
                ChatTalk.config(URI.create("http://localhost:1"), null, Map.of("replayReasoning", replay)));
        talk.user("a").own(thought("one"), Block.text("b"));
        talk.user("c").own(thought("two"), own("a", "{}")).result("a", "x").own(thought("three"), Block.text("d"));
        talk.user("e");
        VerbatimJson body = body(talk.request(), quirks);
        assertEquals(ofTalk, body.text().contains("\"reasoning\":\"one\""));
        assertEquals(ofTools, body.text().contains("\"reasoning\":\"two\""));
        assertEquals(ofTools, body.text().contains("\"reasoning\":\"three\""));
    }

    @Test
    void mentionsAnImageOfAToolResult() throws Exception {
        talk.user("look").own(own("a", "{}")).result("a", "data:image/png;base64,iVBORw==");

        assertTrue(messages().contains("\"content\":\"[a picture]\""), messages());
    }

    private static Block.Thinking thought(String text) {
        return new Block.Thinking(text, null, ChatTalk.item("reasoning", "{\"reasoning\":\"" + text + "\"}"));
    }

    @Test
    void writesReasoningInEveryMessageForDeepSeek() throws Exception {
        server = "deepseek";
        talk.user("a").foreign(new Block.ToolCall("a", "t", "{}", null)).result("a", "x");
        talk.own(
                new Block.Thinking("hm", null, ChatTalk.item("reasoning_content", "{\"reasoning_content\":\"hm\"}")),
                Block.text("b"));
        VerbatimJson body = body();
        assertEquals("\"\"", message(body, 1).at("reasoning_content").text());
        assertEquals("\"hm\"", message(body, 3).at("reasoning_content").text());
    }

    @ParameterizedTest
    @EnumSource(Server.class)
    @Tag("I135")
    void sendsToolChoiceInTheFirstCallOfATurn(Server kind) throws Exception {
        server = kind.name().toLowerCase(Locale.ROOT);
        talk.user("a");
        talk.requests.tools("t");
        boolean ollama = kind == Server.OLLAMA;

        talk.option("toolChoice", "required");
        assertEquals(ollama ? "" : "required", body().at("tool_choice").string());
        talk.option("toolChoice", "tool:t");
        assertEquals(
                ollama ? "" : "{\"type\":\"function\",\"function\":{\"name\":\"t\"}}",
                body().at("tool_choice").text());
        talk.option("toolChoice", "tool:other");
        assertFalse(body().at("tool_choice").isPresent(), "nobody shows it");
        talk.option("toolChoice", "required").own(Block.text("b")).user("c");
        assertFalse(body().at("tool_choice").isPresent());
    }

    @ParameterizedTest
    @EnumSource(Server.class)
    void declaresToolsThatMayNotBeCalled(Server kind) throws Exception {
        server = kind.name().toLowerCase(Locale.ROOT);
        talk.user("a").toolsForbidden();
        talk.requests.tools("t");
        VerbatimJson body = body();
        boolean ollama = kind == Server.OLLAMA;
        assertEquals(!ollama, body.at("tools").isPresent());
        assertEquals(ollama ? "" : "none", body.at("tool_choice").string());
    }

    @Test
    void writesFilesInTheFormOfEachServer() throws Exception {
        for (String kind : List.of("openai", "ollama")) {
            server = kind;
            talk.requests.startOverWith("s");
            talk.requests.message(new Message(
                    Role.USER,
                    List.of(
                            Block.text("look"),
                            file("a.png", "image/png", "\u0089PNG"),
                            file("b.gif", "image/gif", "GIF8"),
                            file("c.pdf", "application/pdf", "%PDF"),
                            file("d.txt", "text/plain", "words")),
                    false,
                    null,
                    null));
            String kinds = message(body(), 1).at("content").items().stream()
                    .map(part -> part.at("type").string())
                    .collect(Collectors.joining(" "));
            assertEquals(
                    kind.equals("openai") ? "text image_url image_url file text" : "text image_url text text text",
                    kinds);
            assertTrue(messages().contains("\"image_url\":{\"url\":\"data:image/png;base64,iVBORw==\"}"));
            assertTrue(messages().contains("words"));
        }
    }

    @Test
    void joinsTextPartsIntoOneString() throws Exception {
        talk.requests.message(new Message(
                Role.USER, List.of(Block.text("look"), file("d.txt", "text/plain", "words")), false, null, null));
        assertEquals(
                "look\n\n[file 'd.txt', text/plain]\nwords",
                message(body(), 0).at("content").string());
    }

    private Block.File file(String name, String type, String content) throws Exception {
        byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
        var blob = new BlobStore(folder, 1 << 20).put(new ByteArrayInputStream(bytes));
        return new Block.File(name, type, blob.size(), blob.sha256(), null, null);
    }

    @ParameterizedTest
    @CsvSource({
        // server, model, tools, thinking, sent effort, temperature
        "openai,gpt-4.1,false,HIGH,,true",
        "openai,o4-mini,true,HIGH,high,false",
        "openai,gpt-5,true,LOW,low,false",
        "openai,gpt-5,false,NONE,,false",
        "openai,gpt-5.1,true,HIGH,high,false",
        "openai,gpt-5.6-sol,true,HIGH,none,true",
        "openai,gpt-5.6-sol,false,HIGH,high,false",
        "openai,gpt-5.6-sol,false,NONE,none,true",
        "openai,gpt-6-sol,true,HIGH,none,false",
        "openai,deployment,true,HIGH,high,true",
        "ollama,gpt-oss,true,MEDIUM,medium,true",
        "vllm,gpt-5,true,MEDIUM,medium,true",
        "gemini,gemini-3-pro,true,LOW,low,true",
        "other,m,true,NONE,,true"
    })
    void sendsSupportedParametersToEachModel(
            String kind, String model, boolean tools, ThinkingLevel thinking, String effort, boolean samples)
            throws Exception {
        server = kind;
        talk.model(model).thinking(thinking).temperature(0.2).user("a");
        if (tools) {
            talk.requests.tools("t");
        }
        VerbatimJson body = body();
        assertEquals(effort == null ? "" : effort, body.at("reasoning_effort").string());
        assertEquals(samples, body.at("temperature").isPresent());
    }

    @Test
    void writesTheEffortInTheReasoningFieldForOpenRouter() throws Exception {
        server = "openrouter";
        talk.thinking(ThinkingLevel.HIGH).user("a");
        assertEquals("{\"effort\":\"high\"}", body().at("reasoning").text());
    }

    @Test
    void optionsOfTheAgentAreSent() throws Exception {
        talk.option("stop", "END\n\nSTOP").option("responseSchema", "{\"type\":\"object\", \"n\":1.0}");
        talk.option("parallelToolCalls", "false").maxTokens(5).user("a");
        talk.requests.tools("t");
        VerbatimJson body = body();
        assertEquals("[\"END\",\"STOP\"]", body.at("stop").text());
        assertEquals("5", body.at("max_tokens").text());
        assertEquals(
                "{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"answer\",\"strict\":true,\"schema\":{\"type\":\"object\", \"n\":1.0}}}",
                body.at("response_format").text());
        assertFalse(body.at("parallel_tool_calls").isPresent());
        assertFalse(body(talk.summaryRequest(), ChatTalk.quirks(server))
                .at("response_format")
                .isPresent());
        server = "vllm";
        assertEquals("false", body().at("parallel_tool_calls").text());
        server = "deepseek";
        body = body();
        assertEquals("{\"type\":\"json_object\"}", body.at("response_format").text());
        assertTrue(message(body, 0).at("content").string().contains("{\"type\":\"object\", \"n\":1.0}"));
    }

    @Test
    void configuredOptionsOverrideServerDefaults() throws Exception {
        // Given
        var quirks = ServerQuirks.of(ChatTalk.config(
                URI.create("https://api.openai.com/v1"),
                null,
                Map.of(
                        "server", "other",
                        "maxTokensField", "max_completion_tokens",
                        "streamUsage", "false",
                        "developerRole", "true")));
        talk.prompt("p").maxTokens(5).user("a");

        // When
        VerbatimJson body = body(talk.request(), quirks);

        // Then
        assertEquals("developer", message(body, 0).at("role").string());
        assertTrue(body.at("max_completion_tokens").isPresent());
        assertFalse(body.at("stream_options").isPresent());
    }

    @ParameterizedTest
    @CsvSource({
        "https://api.openai.com/v1,OPENAI,NEVER",
        "https://x.openai.azure.com/openai/v1,OPENAI,NEVER",
        "https://openrouter.ai/api/v1,OPENROUTER,TOOLS",
        "https://generativelanguage.googleapis.com/v1beta/openai,GEMINI,NEVER",
        "https://api.deepseek.com,DEEPSEEK,ALWAYS",
        "http://127.0.0.1:11434/v1,OLLAMA,TOOLS",
        "http://ollama/v1,OLLAMA,TOOLS",
        "http://vllm:8000/v1,VLLM,TOOLS",
        "http://127.0.0.1:8080/v1,OTHER,NEVER"
    })
    void aServerIsKnownByItsAddress(URI url, Server expectedServer, Replay replay) {
        ServerQuirks quirks = ServerQuirks.of(ChatTalk.config(url, null, Map.of()));
        assertEquals(expectedServer, quirks.server());
        assertEquals(replay, quirks.replayReasoning());
    }

    @ParameterizedTest
    @CsvSource({"server,olama,ollama", "replayReasoning,yes,always", "streamUsage,1,false", "developerRole,'',true"})
    void rejectsAnInvalidOptionAndNamesTheChoices(String option, String value, String choice) {
        var config = ChatTalk.config(URI.create("http://localhost:1"), null, Map.of(option, value));
        String message = assertThrows(IllegalArgumentException.class, () -> ServerQuirks.of(config))
                .getMessage();
        assertTrue(message.contains(option) && message.contains(choice), message);
    }
}
