package dev.parley.channels.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.channels.web.ForeignConversation.Format;
import dev.parley.channels.web.ForeignConversation.LeftOut;
import dev.parley.channels.web.ForeignConversation.Origin;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.content.Role;
import dev.parley.platform.json.JsonMappers;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ForeignConversationTest {
    private static final JsonMapper JSON = JsonMappers.bodies();
    private static final Message NO_RESULT = Message.toolResult("c1", "no result of this call is known", true);

    @Test
    @Tag("K8")
    @Tag("K9")
    void readsChatCompletionsMessages() throws IOException {
        // When
        var read = read(Format.OPENAI, """
            [{"role":"system","content":"be brief"},
             {"role":"user","content":[{"type":"text","text":"What is 1+1?"},{"type":"image_url","image_url":{"url":"x"}}]},
             {"role":"assistant","content":null,"tool_calls":[
               {"id":"c1","type":"function","function":{"name":"add","arguments":"{\\"a\\": 1}"}}]},
             {"role":"tool","tool_call_id":"c1","content":"2"},
             {"role":"assistant","content":"It is 2."}]\
            """);

        // Then
        assertEquals(
                List.of(
                        Message.text(Role.USER, "What is 1+1?"),
                        Message.toolCall("c1", "add", "{\"a\": 1}"),
                        Message.toolResult("c1", "2", false),
                        Message.text(Role.ASSISTANT, "It is 2.")),
                read.messages());
        assertEquals(
                List.of(
                        new LeftOut(0, "instructions come from the agent"),
                        new LeftOut(1, "a part that is not text is omitted: image_url")),
                read.leftOut());
    }

    @Test
    @Tag("K9")
    void readsAnthropicMessages() throws IOException {
        // When
        var read = read(Format.ANTHROPIC, """
            [{"role":"user","content":"What is 1+1?"},
             {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"x"},
               {"type":"text","text":"I add."},{"type":"tool_use","id":"c1","name":"add","input":{"a":1}}]},
             {"role":"user","content":[
               {"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"no"}],"is_error":true},
               {"type":"text","text":"Well?"}]}]\
            """);

        // Then
        assertEquals(
                List.of(
                        Message.text(Role.USER, "What is 1+1?"),
                        made(
                                "anthropic",
                                null,
                                new Block.Thinking(
                                        "hm",
                                        "x",
                                        new ProviderItem(
                                                "anthropic",
                                                "thinking",
                                                "{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"x\"}")),
                                Block.text("I add."),
                                new Block.ToolCall("c1", "add", "{\"a\":1}", null)),
                        Message.toolResult("c1", "no", true),
                        Message.text(Role.USER, "Well?")),
                read.messages());
        assertEquals(List.of(), read.leftOut());
    }

    @Test
    @Tag("K10")
    void readsRowsWithEitherToolResultKind() throws IOException {
        // When
        var read = read(Format.ROWS, """
            [{"kind":"user","text":"hi"},
             {"kind":"tool_call","data":{"id":"c1","name":"add","arguments":{"a":1}}},
             {"kind":"tool_result","data":{"tool_call_id":"c1","output":"2","success":true}},
             {"kind":"tool_call","data":"{\\"id\\":\\"c2\\",\\"name\\":\\"add\\",\\"arguments\\":\\"{}\\"}"},
             {"kind":"tool","data":{"tool_call_id":"c2","output":{"why":"no"},"success":false}},
             {"kind":"assistant","text":"2"}]\
            """);

        // Then
        assertEquals(
                List.of(
                        Message.text(Role.USER, "hi"),
                        Message.toolCall("c1", "add", "{\"a\":1}"),
                        Message.toolResult("c1", "2", false),
                        Message.toolCall("c2", "add", "{}"),
                        Message.toolResult("c2", "{\"why\":\"no\"}", true),
                        Message.text(Role.ASSISTANT, "2")),
                read.messages());
    }

    @Test
    @Tag("K11")
    @Tag("K12")
    void appliesControlRowsAndOmitsThem() throws IOException {
        var read = read(Format.ROWS, """
            [{"kind":"user","text":"gone"},{"kind":"clear"},{"kind":"system","text":"prompt"},
             {"kind":"user","text":"kept"},{"kind":"mark","text":"here"},{"kind":"user","text":"undone"},
             {"kind":"rewind","text":"here"},{"kind":"command","text":"/x"},{"kind":"fork"},{"kind":"agent_killed"},
             {"kind":"rewind","text":"nowhere"}]\
            """);

        assertEquals(List.of(Message.text(Role.USER, "kept")), read.messages());
    }

    @Test
    @Tag("K13")
    void reportsUnreadableRowsAndReadsTheOthers() throws IOException {
        // When
        var read = read(Format.ROWS, """
            [{"kind":"tool_call","data":"{not json"},{"kind":"tool_result","data":{}},{"kind":"dance"},7,
             {"kind":"user","text":" "},{"kind":"tool_call","data":{"id":"c1","name":"a b","arguments":{}}},
             {"kind":"user","text":"hi"}]\
            """);

        // Then
        assertEquals(List.of(Message.text(Role.USER, "hi")), read.messages());
        assertEquals(
                List.of(
                        new LeftOut(0, "its data is not JSON"),
                        new LeftOut(1, "its output is missing"),
                        new LeftOut(2, "its kind is not known"),
                        new LeftOut(3, "its kind is missing"),
                        new LeftOut(4, "it has no content"),
                        new LeftOut(5, "the name of its tool is not valid")),
                read.leftOut());
    }

    @Test
    @Tag("K13")
    void pairsToolCallsWithResults() throws IOException {
        // When
        var read = read(Format.OPENAI, """
            [{"role":"tool","tool_call_id":"c0","content":"of nothing"},
             {"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"add","arguments":"{}"}}]},
             {"role":"user","content":"Well?"},
             {"role":"tool","tool_call_id":"c1","content":"late"},
             {"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"add","arguments":"{}"}}]}]\
            """);

        // Then
        assertEquals(
                List.of(
                        Message.toolCall("c1", "add", "{}"),
                        NO_RESULT,
                        Message.text(Role.USER, "Well?"),
                        Message.toolCall("c1", "add", "{}"),
                        NO_RESULT),
                read.messages());
        assertEquals(
                List.of(0, 3), read.leftOut().stream().map(LeftOut::message).toList());
    }

    @Test
    @Tag("K9")
    void keepsTheOriginalItemsOfTheResponsesApi() throws IOException {
        // Given
        String reasoning =
                "{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"hm\"}],"
                        + "\"encrypted_content\":\"gAAA==\"}";
        String search =
                "{\"id\":\"ws_1\",\"type\":\"web_search_call\",\"status\":\"completed\",\"depth\":9007199254740993}";
        String call =
                "{\"id\":\"fc_1\",\"type\":\"function_call\",\"call_id\":\"c1\",\"name\":\"add\",\"arguments\":\"{\\\"a\\\":"
                        + " 1}\",\"status\":\"completed\"}";
        String text =
                "{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"status\":\"completed\",\"content\":"
                        + "[{\"type\":\"output_text\",\"text\":\"It is 2.\",\"annotations\":[]}]}";

        // When
        var read = read(Format.OPENAI_RESPONSES, """
            [{"role":"user","content":"What is 1+1?"},
             {"object":"response","model":"gpt-5-2025-08-07","output":[%s,%s,%s]},
             {"type":"function_call_output","call_id":"c1","output":"2"},
             {"model":"gpt-5-2025-08-07","output":[%s]},
             {"type":"message","role":"user","content":[{"type":"input_text","text":"Thanks"}]},
             {"type":"message","role":"assistant","content":"You are welcome."}]\
            """.formatted(reasoning, search, call, text));

        // Then
        assertEquals(
                List.of(
                        Message.text(Role.USER, "What is 1+1?"),
                        answer(
                                "gpt-5-2025-08-07",
                                new Block.Thinking("hm", null, item("reasoning", reasoning)),
                                new Block.Raw(item("web_search_call", search)),
                                new Block.ToolCall("c1", "add", "{\"a\": 1}", item("function_call", call))),
                        Message.toolResult("c1", "2", false),
                        answer("gpt-5-2025-08-07", new Block.Text("It is 2.", item("message", text))),
                        Message.text(Role.USER, "Thanks"),
                        answer(null, Block.text("You are welcome."))),
                read.messages());
        assertEquals(List.of(), read.leftOut());
    }

    @Test
    @Tag("K13")
    void reportsUnreadableItemsAndKeepsTheOthersOfTheResponse() throws IOException {
        // When
        var read = read(Format.OPENAI_RESPONSES, """
            [{"role":"developer","content":"be brief"},
             {"role":"user","content":"Go"},
             {"model":"gpt-5","output":[7,{"type":"function_call","call_id":"c1","name":"a b","arguments":"{}"},
               {"type":"function_call","call_id":"c2","name":"add","arguments":"{","status":"incomplete"},
               {"type":"image_generation_call","id":"ig_1","result":"AAAA"},
               {"type":"message","role":"assistant","content":[]},
               {"type":"computer_call","id":"cu_1","call_id":"c3","action":{"type":"wait"}}]},
             {"type":"function_call_output","call_id":"c9","output":"of nothing"},
             {"type":"function_call_output","call_id":"c3"}]\
            """);

        // Then
        assertEquals(3, read.messages().size());
        assertEquals(
                List.of(
                        new Block.ToolCall(
                                "c3",
                                "computer",
                                "{\"type\":\"wait\"}",
                                item(
                                        "computer_call",
                                        "{\"type\":\"computer_call\",\"id\":\"cu_1\",\"call_id\":\"c3\",\"action\":{\"type\":\"wait\"}}"))),
                read.messages().get(1).blocks());
        assertEquals(
                List.of(
                        new LeftOut(0, "instructions come from the agent"),
                        new LeftOut(2, "its type is missing"),
                        new LeftOut(2, "the name of its tool is not valid"),
                        new LeftOut(2, "it is a call that was cut off"),
                        new LeftOut(2, "a picture that a model made is left out"),
                        new LeftOut(2, "it has no content"),
                        new LeftOut(4, "its output is missing"),
                        new LeftOut(3, "no call precedes this result")),
                read.leftOut());
    }

    @Test
    @Tag("K10")
    void mergesConsecutiveToolCallsIntoOneMessage() throws IOException {
        // When
        var read = read(Format.ROWS, """
            [{"kind":"user","text":"hi"},
             {"kind":"tool_call","data":{"id":"c1","name":"add","arguments":{"a":1}}},
             {"kind":"tool_call","data":{"id":"c2","name":"add","arguments":{"a":2}}},
             {"kind":"tool_result","data":{"tool_call_id":"c1","output":"1","success":true}},
             {"kind":"tool_result","data":{"tool_call_id":"c2","output":"2","success":true}}]\
            """);

        // Then
        assertEquals(
                List.of(
                        Message.text(Role.USER, "hi"),
                        new Message(
                                Role.ASSISTANT,
                                List.of(
                                        new Block.ToolCall("c1", "add", "{\"a\":1}", null),
                                        new Block.ToolCall("c2", "add", "{\"a\":2}", null)),
                                false,
                                null,
                                null),
                        Message.toolResult("c1", "1", false),
                        Message.toolResult("c2", "2", false)),
                read.messages());
    }

    @Test
    @Tag("B141")
    void keepsReasoningThatOnlyItsProviderCanRead() throws IOException {
        // Given
        String redacted = "{\"type\":\"redacted_thinking\",\"data\":\"EqQB==\"}";
        String thinking =
                "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"Er8C/+\\n\",\"later\":9007199254740993}";

        // When
        var read = read(Format.ANTHROPIC, new Origin("claude-eu", "claude-4"), """
            [{"role":"assistant","content":[%s]},
             {"role":"assistant","model":"claude-5-20260101","content":[{"type":"text","text":"Hm."},%s,
               {"type":"tool_use","id":"c1","name":"add","input":{}}]}]\
            """.formatted(redacted, thinking));

        // Then
        assertEquals(
                List.of(
                        made(
                                "claude-eu",
                                "claude-4",
                                new Block.RedactedThinking(
                                        "EqQB==", new ProviderItem("claude-eu", "redacted_thinking", redacted))),
                        made(
                                "claude-eu",
                                "claude-5-20260101",
                                Block.text("Hm."),
                                new Block.Thinking("", "Er8C/+\n", new ProviderItem("claude-eu", "thinking", thinking)),
                                new Block.ToolCall("c1", "add", "{}", null)),
                        NO_RESULT),
                read.messages());
        assertEquals(List.of(), read.leftOut());
    }

    @Test
    @Tag("B141")
    void keepsReasoningOfChatCompletionsForAProviderThatIsNamed() throws IOException {
        // Given
        String call = "{\"id\":\"c1\",\"function\":{\"name\":\"add\",\"arguments\":\"{}\"},"
                + "\"extra_content\":{\"google\":{\"thought_signature\":\"sig\"}}}";
        String details = "{\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":\"a\",\"signature\":\"s\"},"
                + "{\"type\":\"reasoning.encrypted\",\"data\":\"d\"}]}";
        String messages = """
            [{"role":"assistant","reasoning_content":"hm","content":"Hi"},
             {"role":"assistant","reasoning":"a",%s,"tool_calls":[%s]}]\
            """.formatted(details.substring(1, details.length() - 1), call);

        // When
        var named = read(Format.OPENAI, new Origin("router", "r1"), messages);
        var unnamed = read(Format.OPENAI, messages);

        // Then
        assertEquals(
                List.of(
                        made(
                                "router",
                                "r1",
                                new Block.Thinking(
                                        "hm",
                                        null,
                                        new ProviderItem(
                                                "router", "reasoning_content", "{\"reasoning_content\":\"hm\"}")),
                                Block.text("Hi")),
                        made(
                                "router",
                                "r1",
                                new Block.Thinking("a", null, new ProviderItem("router", "reasoning_details", details)),
                                new Block.ToolCall("c1", "add", "{}", new ProviderItem("router", "function", call))),
                        NO_RESULT),
                named.messages());
        assertEquals(
                List.of(
                        made(null, null, new Block.Thinking("hm", null, null), Block.text("Hi")),
                        made(
                                null,
                                null,
                                new Block.Thinking("a", null, null),
                                new Block.ToolCall("c1", "add", "{}", null)),
                        NO_RESULT),
                unnamed.messages());
    }

    @Test
    @Tag("B141")
    void reasoningOfRowsBelongsToTheRowThatFollows() throws IOException {
        // Given
        String sealed =
                "{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"so\"}],"
                        + "\"encrypted_content\":\"gA==\"}";
        String thinking = "{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"s\"}";

        // When
        var read = read(Format.ROWS, """
            [{"kind":"reasoning","data":{"provider":"anthropic","model":"claude-5","item":%s}},
             {"kind":"reasoning","data":{"provider":"anthropic","model":"claude-5",
               "item":{"type":"redacted_thinking","data":"E=="}}},
             {"kind":"tool_call","data":{"id":"c1","name":"add","arguments":{}}},
             {"kind":"tool_result","data":{"tool_call_id":"c1","output":"2"}},
             {"kind":"reasoning","text":"nobody signed this"},
             {"kind":"reasoning","data":{"provider":"openai","model":"gpt-6","item":%s}},
             {"kind":"assistant","text":"It is 2."},
             {"kind":"assistant","text":"Really."},
             {"kind":"reasoning","data":{"item":{"type":"message"}}},
             {"kind":"reasoning","data":{"provider":"openai"}}]\
            """.formatted(thinking, sealed));

        // Then
        assertEquals(
                List.of(
                        made(
                                "anthropic",
                                "claude-5",
                                new Block.Thinking("hm", "s", new ProviderItem("anthropic", "thinking", thinking)),
                                new Block.RedactedThinking(
                                        "E==",
                                        new ProviderItem(
                                                "anthropic",
                                                "redacted_thinking",
                                                "{\"type\":\"redacted_thinking\",\"data\":\"E==\"}")),
                                new Block.ToolCall("c1", "add", "{}", null)),
                        Message.toolResult("c1", "2", false),
                        made(null, null, new Block.Thinking("nobody signed this", null, null)),
                        made(
                                "openai",
                                "gpt-6",
                                new Block.Thinking("so", null, new ProviderItem("openai", "reasoning", sealed)),
                                Block.text("It is 2.")),
                        Message.text(Role.ASSISTANT, "Really.")),
                read.messages());
        assertEquals(
                List.of(
                        new LeftOut(8, "its item is not reasoning of a known form"),
                        new LeftOut(9, "its item is missing")),
                read.leftOut());
    }

    private static Message made(@Nullable String provider, @Nullable String model, Block... blocks) {
        return new Message(Role.ASSISTANT, List.of(blocks), false, provider, model);
    }

    private static Message answer(@Nullable String model, Block... blocks) {
        return new Message(Role.ASSISTANT, List.of(blocks), false, "openai", model);
    }

    private static ProviderItem item(String type, String json) {
        return new ProviderItem("openai", type, json);
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void omitsAMessageThatIsNull(Format format) throws IOException {
        var read = read(format, "[null]");

        assertEquals(List.of(), read.messages());
        assertEquals(List.of(0), read.leftOut().stream().map(LeftOut::message).toList());
    }

    private static ForeignConversation read(Format format, String messages) throws IOException {
        return read(format, new Origin(null, null), messages);
    }

    private static ForeignConversation read(Format format, Origin origin, String messages) throws IOException {
        return ForeignConversation.read(
                JSON, format, origin, JSON.readValue(messages, Argument.listOf(JsonNode.class)));
    }
}
