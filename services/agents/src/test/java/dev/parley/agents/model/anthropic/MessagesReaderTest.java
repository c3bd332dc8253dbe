package dev.parley.agents.model.anthropic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.agents.model.ModelAnswer;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.RecordedStream;
import dev.parley.agents.model.wire.GeneratedJson;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Usage;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessagesReaderTest {
    private final RecordedStream recorded = new RecordedStream();
    private final MessagesReader reader = new MessagesReader("anthropic", recorded);

    private ModelAnswer read(List<String> events) throws IOException, ModelFailure {
        for (String event : events) {
            reader.onEvent(event);
        }
        reader.endPaused();
        return reader.answer("claude-opus-4-6");
    }

    private static String json(Block block) {
        return Objects.requireNonNull(block.raw()).json();
    }

    @Test
    @Tag("K5")
    @Tag("K3")
    void eachBlockIsKeptAsItWasStreamed() throws Exception {
        // When
        ModelAnswer answer = read(new MessagesStream()
                .thinking("I think.")
                .text("Let me ", "look\\u00e9\\/.")
                .block(
                        "{\"type\":\"tool_use\", \"id\":\"toolu_1\",\"caller\":{\"n\":1.0},\"name\":\"search\",\"input\":{}}",
                        "input_json_delta",
                        "",
                        "{\\\"b\\\": 90071992",
                        "54740993, \\\"a\\\":1.0,\\\"a\\\":\\\"\\\\u0000\\\"}")
                .stopped("tool_use"));

        // Then
        assertEquals(FinishReason.TOOL_CALLS, answer.finish());
        var thinking = (Block.Thinking) answer.blocks().get(0);
        assertEquals("I think.", thinking.text());
        assertEquals(StrictMessages.signature("I think."), thinking.signature());
        assertEquals(
                "{\"type\":\"thinking\",\"thinking\":\"I think.\",\"signature\":\"%s\"}"
                        .formatted(thinking.signature()),
                json(thinking));
        assertEquals(
                "{\"type\":\"text\",\"text\":\"Let me look\\u00e9\\/.\"}",
                json(answer.blocks().get(1)));
        assertEquals("Let me looké/.", Message.text(answer.blocks()));
        var call = (Block.ToolCall) answer.blocks().get(2);
        String arguments = "{\"b\": 9007199254740993, \"a\":1.0,\"a\":\"\\u0000\"}";
        assertEquals(arguments, call.arguments());
        assertEquals(
                "{\"type\":\"tool_use\", \"id\":\"toolu_1\",\"caller\":{\"n\":1.0},\"name\":\"search\",\"input\":%s}"
                        .formatted(arguments),
                json(call));
        assertEquals("I think.", recorded.reasoning());
        assertEquals("Let me looké/.", recorded.text());
        assertEquals("toolu_1 search {\"b\": 90071992", recorded.arguments().get(1));
        assertEquals("claude-opus-4-6-20260101", answer.model());
    }

    @Test
    @Tag("I66")
    void inputIncludesCachedTokensAndTheLastUsageCounts() throws Exception {
        assertEquals(
                new Usage(75, 20, 5, 40, 10, null),
                read(new MessagesStream().text("ok").stopped("end_turn")).usage());
    }

    @Test
    @Tag("P9")
    void rawResponseIsAllEventsExceptPings() throws Exception {
        List<String> events = new MessagesStream().text("o", "k").stopped("end_turn");

        String raw = read(events).raw();

        assertEquals(
                String.join(
                        "\n",
                        events.stream().filter(event -> !event.contains("ping")).toList()),
                raw);
    }

    @Test
    void doesNotKeepALongRawResponse() throws Exception {
        assertNull(read(new MessagesStream().text("é".repeat(1 << 20)).stopped("end_turn"))
                .raw());
    }

    @Test
    void answerOfAnAliasKeepsTheAliasAsModel() throws Exception {
        read(new MessagesStream().text("ok").stopped("end_turn"));

        assertEquals("my-claude", reader.answer("my-claude").model());
        assertEquals(
                "claude-opus-4-6-20260101", reader.answer("claude-opus-4-6").model());
    }

    @Test
    void anErrorWithoutATypeIsAFailure() {
        var failure = assertThrows(
                ModelFailure.class,
                () -> read(new MessagesStream()
                        .event("{\"error\":{\"code\":\"502\",\"message\":\"bad gateway\"}}")
                        .stopped("end_turn")));

        assertEquals("SERVER bad gateway", failure.category() + " " + failure.detail());
    }

    @Test
    @Tag("K6")
    void redactedAndEmptyThinkingAreKept() throws Exception {
        // Given
        String redacted = "{\"type\":\"redacted_thinking\",\"data\":\"EmwKAhgB+/\\/=\"}";

        // When
        ModelAnswer answer = read(
                new MessagesStream().thinking("").block(redacted).text("ok").stopped("end_turn"));

        // Then
        assertEquals(
                "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"%s\"}"
                        .formatted(StrictMessages.signature("")),
                json(answer.blocks().get(0)));
        assertEquals(
                new Block.RedactedThinking(
                        "EmwKAhgB+//=", new ProviderItem("anthropic", "redacted_thinking", redacted)),
                answer.blocks().get(1));
    }

    @Test
    @Tag("I71")
    void joinsSurrogatePairsAcrossDeltas() throws Exception {
        // When
        ModelAnswer answer = read(new MessagesStream()
                .text("a\\ud83d", "\\ude00b\\ud83d", "x\\ude00", "y\\ud83d")
                .block(
                        "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}",
                        "thinking_delta",
                        "\\ud83d",
                        "\\ude00")
                .call("t", "search", "{\\\"q\\\":\\\"\\ud83d", "\\ude00\\\"}")
                .stopped("tool_use"));

        // Then
        assertEquals("a😀b\uFFFDx\uFFFDy\uFFFD", recorded.text());
        assertEquals(recorded.text(), Message.text(answer.blocks()));
        assertEquals("😀", recorded.reasoning());
        assertEquals(
                "{\"q\":\"😀\"}", Message.toolCalls(answer.blocks()).getFirst().arguments());
        assertTrue(json(answer.blocks().get(1)).contains("\"\\ud83d\\ude00\""), "as it was spelled");
    }

    @Test
    void separatesTextBlocksAndKeepsCitations() throws Exception {
        // Given
        String toolUse = "{\"type\":\"server_tool_use\",\"id\":\"srvtoolu_1\",\"name\":\"web_search\",\"input\":{}}";
        String found =
                "{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"srvtoolu_1\",\"content\":[{\"age\":1.0,\"encrypted_content\":\"E\\/\"}]}";

        // When
        ModelAnswer answer = read(new MessagesStream()
                .text("I'll search.")
                .block(toolUse, "input_json_delta", "{\\\"query\\\": ", "\\\"x\\\"}")
                .block(found)
                .text("It is ")
                .begin("{\"citations\":[],\"type\":\"text\",\"text\":\"\"}")
                .delta("{\"type\":\"citations_delta\",\"citation\":{\"cited_text\":\"a\\/b\",\"n\":1.0}}")
                .delta("{\"type\":\"citations_delta\",\"citation\":{\"cited_text\":\"c\"}}")
                .delta("{\"type\":\"text_delta\",\"text\":\"so.\"}")
                .end()
                .stopped("end_turn"));

        // Then
        assertEquals("I'll search.\n\nIt is so.", recorded.text());
        assertEquals(recorded.text(), Message.text(answer.blocks()));
        assertEquals(
                toolUse.replace("\"input\":{}", "\"input\":{\"query\": \"x\"}"),
                json(answer.blocks().get(1)));
        assertEquals(found, json(answer.blocks().get(2)));
        assertEquals(
                "{\"citations\":[{\"cited_text\":\"a\\/b\",\"n\":1.0},{\"cited_text\":\"c\"}],\"type\":\"text\",\"text\":\"so.\"}",
                json(answer.blocks().get(4)));
        assertEquals(List.of(), recorded.arguments());
    }

    @Test
    @Tag("P24")
    void ignoresUnknownEventsAndKeepsUnknownBlocks() throws Exception {
        // Given
        String unknown = "{\"type\":\"hologram\",\"deep\":{\"b\":1,\"a\":[1.0,{\"twice\":1,\"twice\":2}]}}";

        // When
        ModelAnswer answer = read(new MessagesStream()
                .event("{\"type\":\"weather\",\"index\":7}")
                .event(
                        "{\"type\":\"content_block_delta\",\"index\":9,\"delta\":{\"type\":\"text_delta\",\"text\":\"?\"}}")
                .event("{\"type\":\"content_block_stop\",\"index\":9}")
                .event("[DONE]")
                .block(unknown, "smell_delta", "rose")
                .text("ok")
                .stopped("new_reason"));

        // Then
        assertEquals(
                new Block.Raw(new ProviderItem("anthropic", "hologram", unknown)),
                answer.blocks().getFirst());
        assertEquals("ok", recorded.text());
        assertEquals(FinishReason.UNKNOWN, answer.finish());
    }

    @ParameterizedTest
    @Tag("I64")
    @CsvSource({
        "end_turn, STOP",
        "stop_sequence, STOP",
        "tool_use, TOOL_CALLS",
        "max_tokens, LENGTH",
        "model_context_window_exceeded, LENGTH",
        "refusal, CONTENT_FILTER",
        "compaction, UNKNOWN"
    })
    void mapsStopReasons(String reason, FinishReason finish) throws Exception {
        assertEquals(
                finish, read(new MessagesStream().text("ok").stopped(reason)).finish());
    }

    @ParameterizedTest
    @Tag("I64")
    @ValueSource(strings = {"", "{\\\"city\\\": \\\"Be", "{\\\"city\\\": {}"})
    void dropsATruncatedToolCall(String arguments) throws Exception {
        // When
        ModelAnswer answer = read(new MessagesStream()
                .text("so far")
                .call("toolu_1", "search", "{}")
                .call("toolu_2", "search", arguments)
                .stopped("max_tokens"));

        // Then
        assertEquals(FinishReason.LENGTH, answer.finish());
        assertEquals(
                List.of("toolu_1"),
                Message.toolCalls(answer.blocks()).stream()
                        .map(Block.ToolCall::id)
                        .toList());
        assertEquals("so far", Message.text(answer.blocks()));
    }

    @Test
    @Tag("K3")
    void wrapsArgumentsThatAreNotAnObject() throws Exception {
        // When
        ModelAnswer answer = read(new MessagesStream()
                .call("toolu_1", "search", "{\\\"a\\\": oops")
                .call("toolu_2", "search")
                .block("{\"type\":\"tool_use\",\"id\":\"toolu_3\",\"name\":\"search\",\"input\":{\"whole\": 1.0}}")
                .block("{\"type\":\"tool_use\",\"id\":\"toolu_4\",\"name\":\"search\"}")
                .stopped("tool_use"));

        // Then
        List<Block.ToolCall> calls = Message.toolCalls(answer.blocks());
        assertEquals("{\"a\": oops", calls.get(0).arguments());
        assertTrue(json(calls.get(0)).endsWith("\"input\":{\"_invalid\":\"{\\\"a\\\": oops\"}}"), json(calls.get(0)));
        assertEquals("{}", calls.get(1).arguments());
        assertTrue(json(calls.get(1)).endsWith("\"input\":{}}"));
        assertEquals("{\"whole\": 1.0}", calls.get(2).arguments());
        assertEquals("{}", calls.get(3).arguments());
        assertTrue(json(calls.get(3)).endsWith("\"input\":{}}"));
    }

    @Test
    void idsAreUnique() throws Exception {
        // When
        ModelAnswer answer = read(new MessagesStream()
                .call("t", "search", "{}")
                .call("t", "search", "{}")
                .call("", "search", "{}")
                .stopped("tool_use"));

        // Then
        List<Block.ToolCall> calls = Message.toolCalls(answer.blocks());
        assertEquals(
                List.of("t", "t_2", "call_2"),
                calls.stream().map(Block.ToolCall::id).toList());
        assertTrue(json(calls.get(1)).contains("\"id\":\"t_2\""), "its item says the same");
        assertTrue(json(calls.get(2)).contains("\"id\":\"call_2\""));
    }

    @Test
    void aStreamWithoutAnEndIsANetworkFailure() {
        var failure = assertThrows(
                ModelFailure.class,
                () -> read(new MessagesStream().text("so far").brokenOff()));

        assertEquals(ErrorCategory.NETWORK, failure.category());
        assertEquals("so far", recorded.text());
    }

    @ParameterizedTest
    @Tag("I67")
    @CsvSource({
        "overloaded_error, OVERLOADED",
        "api_error, SERVER",
        "rate_limit_error, RATE_LIMIT",
        "timeout_error, TIMEOUT",
        "authentication_error, AUTH",
        "invalid_request_error, INVALID_REQUEST",
        "who_knows, SERVER"
    })
    void anErrorInAStreamIsAFailure(String type, ErrorCategory category) {
        List<String> events = new MessagesStream()
                .text("so far")
                .event("{\"type\":\"error\",\"error\":{\"type\":\"%s\",\"message\":\"Sorry\"},\"request_id\":\"r\"}"
                        .formatted(type))
                .brokenOff();

        var failure = assertThrows(ModelFailure.class, () -> read(events));

        assertEquals(category, failure.category());
        assertEquals("Sorry", failure.detail());
    }

    @Test
    void readsAnAnswerWithoutStreaming() throws Exception {
        // When
        reader.onBody("""
                {"type":"message","model":"m","content":[{"type":"text","text":"all"},{"type":"tool_use","id":"t","name":"n",\
                "input":{"a" :1.0}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2}}""");
        reader.endPaused();
        ModelAnswer answer = reader.answer("asked");

        // Then
        assertEquals("all", recorded.text());
        assertEquals(
                "{\"a\" :1.0}", Message.toolCalls(answer.blocks()).getFirst().arguments());
        assertEquals(FinishReason.TOOL_CALLS, answer.finish());
        assertEquals(new Usage(1, 2, 0, 0, 0, null), answer.usage());
    }

    @Test
    void thinkingThatWasCutOffHasNoSignature() throws Exception {
        ModelAnswer answer = read(new MessagesStream()
                .block("{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}", "thinking_delta", "I was ab")
                .stopped("max_tokens"));

        assertNull(((Block.Thinking) answer.blocks().getFirst()).signature());
    }

    @Test
    @Tag("P26")
    void keepsGeneratedBlocksUnchanged() throws Exception {
        for (long seed = 0; seed < 200; seed++) {
            var json = new GeneratedJson(new Random(seed));
            String members = json.members(4);
            String extra = members.isEmpty() ? "" : "," + members;
            String inside = json.string().replaceAll("^\"|\"$", "");
            String unknown = "{\"type\":\"thing\"" + extra + "}";
            String input = "{" + json.members(4) + "}";
            var freshStream = new RecordedStream();
            var freshReader = new MessagesReader("anthropic", freshStream);
            for (String event : new MessagesStream()
                    .block(unknown)
                    .block("{\"type\":\"text\",\"text\":\"\"" + extra + "}", "text_delta", inside, "", inside)
                    .block(
                            "{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"n\",\"input\":{}" + extra + "}",
                            "input_json_delta",
                            escaped(input))
                    .stopped("tool_use")) {
                freshReader.onEvent(event);
            }
            freshReader.endPaused();
            List<Block> blocks = freshReader.answer("m").blocks();

            String description = "seed " + seed;
            assertEquals(unknown, json(blocks.get(0)), description);
            assertEquals(
                    "{\"type\":\"text\",\"text\":\"" + inside + inside + "\"" + extra + "}",
                    json(blocks.get(1)),
                    description);
            assertEquals(
                    "{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"n\",\"input\":" + input + extra + "}",
                    json(blocks.get(2)),
                    description);
            assertEquals(freshStream.text(), Message.text(blocks), description);
        }
    }

    /** JSON as the inside of a JSON string. */
    private static String escaped(String json) {
        return json.replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
