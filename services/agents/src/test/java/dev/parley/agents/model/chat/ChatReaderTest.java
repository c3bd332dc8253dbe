package dev.parley.agents.model.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.agents.model.ModelAnswer;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.agents.model.wire.VerbatimJson;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.blob.BlobStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChatReaderTest {
    private final ChatTalk talk = new ChatTalk();
    private String server = "other";

    @TempDir
    private Path folder;

    private int maxBytes = 1 << 20;

    private ChatReader reader() {
        var attachments = new Attachments(new BlobStore(folder, maxBytes));
        return new ChatReader(ChatTalk.PROVIDER, ChatTalk.quirks(server), talk.request(), attachments, talk);
    }

    private ModelAnswer read(String... events) throws Exception {
        var reader = reader();
        for (String event : events) {
            reader.onEvent(event);
        }
        ModelAnswer answer = reader.answer();
        assertEquals(Message.text(answer.blocks()), talk.text.toString());
        return answer;
    }

    private ModelAnswer readBody(String body) throws Exception {
        var reader = reader();
        reader.onBody(body);
        return reader.answer();
    }

    private ModelFailure failure(String... events) {
        return assertThrows(ModelFailure.class, () -> read(events));
    }

    /** The next request of the conversation, with the answer and the results of its tool calls. */
    private String next(ModelAnswer answer) throws Exception {
        talk.user("go").own(answer.blocks().toArray(Block[]::new));
        Message.toolCalls(answer.blocks()).forEach(call -> talk.result(call.id(), "done"));
        return ChatCompletionRequest.body(
                talk.request(),
                ChatTalk.PROVIDER,
                ChatTalk.quirks(server),
                new Attachments(new BlobStore(Path.of("none"), 1)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            <thi§nk>two and two§</think>\\n\\nIt is four.       | two and two   | It is four.
            <think>two and two</think>It is four.              | two and two   | It is four.
            ' \\n<THINK>\\ntwo§\\n</thi§nk>§ §It is four.'       | two           | It is four.
            <thinking>a</think>b</thinking>c                   | a</think>b    | c
            <think></think>It is four.                         | ''            | It is four.
            <think>a < b</ b§</think>c                         | a < b</ b     | c
            <think>never closed                                | never closed  | ''
            <thin ice                                          | ''            | <thin ice
            It is <think>four</think>.                         | ''            | It is <think>four</think>.
            ```\\n<think>x</think>\\n```                         | ''            | ```\\n<think>x</think>\\n```
            <think>a</think>use <think>b</think>               | a             | use <think>b</think>
            <§t§h§i§n§k§>§a§<§/§t§h§i§n§k§>§b                  | a             | b
            """)
    void thinkTagsAtTheBeginningAreReasoning(String pieces, String reasoning, String reply) throws Exception {
        String[] events = Stream.concat(
                        Arrays.stream(pieces.split("§")).map(piece -> delta("\"content\":\"" + piece + "\"")),
                        Stream.of("{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}"))
                .toArray(String[]::new);

        ModelAnswer answer = read(events);

        assertEquals(reply.replace("\\n", "\n"), Message.text(answer.blocks()));
        assertEquals(reasoning, talk.reasoning.toString());
        assertEquals(reasoning, answer.blocks().getFirst() instanceof Block.Thinking thinking ? thinking.text() : "");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            two and two\\n</think>\\n\\nIt is four.  | two and two | It is four.
            Write `</think>` at the end.            | ''          | Write `</think>` at the end.
            ```\\na</think>b\\n``` is code            | ''          | ```\\na</think>b\\n``` is code
            """)
    void reasoningThatIsOnlyClosedIsNoPartOfTheReply(String content, String reasoning, String reply) throws Exception {
        ModelAnswer answer = readBody("{\"choices\":[{\"index\":0,\"message\":{\"content\":\"" + content
                + "\"},\"finish_reason\":\"stop\"}]}");

        assertEquals(reply.replace("\\n", "\n"), Message.text(answer.blocks()));
        assertEquals(reasoning, talk.reasoning.toString());
    }

    private static String delta(String members) {
        return "{\"choices\":[{\"index\":0,\"delta\":{%s},\"finish_reason\":null}]}".formatted(members);
    }

    private static final String PNG = Base64.getEncoder().encodeToString(new byte[] {(byte) 0x89, 'P', 'N', 'G', 1, 2});

    private static String images(String type, String base64) {
        return "\"images\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/%s;base64,%s\"},\"index\":0}]"
                .formatted(type, base64);
    }

    @Test
    void keepsImagesAsFiles() throws Exception {
        // Given
        server = "openrouter";

        // When
        ModelAnswer answer = read(
                delta("\"content\":\"A cat.\""),
                delta(images("jpeg", PNG)), // servers do not check the declared type
                delta("\"content\":\"\"," + images("jpeg", PNG)),
                end("stop"),
                "[DONE]");

        // Then
        assertEquals(2, answer.blocks().size(), answer.toString());
        var file = Message.files(answer.blocks()).getFirst();
        assertEquals("image.png image/png 6", file.name() + " " + file.mimeType() + " " + file.size());
        assertFalse((answer.blocks() + answer.raw()).contains(PNG), "its bytes are in one place");
        String next = next(answer);
        assertTrue(next.contains("{\"role\":\"assistant\",\"content\":\"A cat.\\n[image.png was shown]\"}"), next);
        assertEquals(List.of(), new StrictChat(ServerQuirks.Server.OPENROUTER).faults(next));
    }

    @Test
    void acceptsAnImageWithoutText() throws Exception {
        ModelAnswer answer = readBody(
                "{\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":null,%s},\"finish_reason\":\"stop\"}]}"
                        .formatted(images("png", PNG)));
        assertEquals(1, answer.blocks().size(), answer.toString());
        assertEquals("image.png", Message.files(answer.blocks()).getFirst().name());
        assertFalse(String.valueOf(answer.raw()).contains(PNG));
    }

    @Test
    void reportsAnImageThatCannotBeStored() throws Exception {
        maxBytes = 4;
        ModelAnswer answer = read(delta("\"content\":\"Look:\""), delta(images("png", PNG)), end("stop"));
        assertEquals("Look:\n\n[image.png could not be kept: it is too large]", Message.text(answer.blocks()));
    }

    @Test
    void reportsAnInvalidImage() throws Exception {
        assertEquals(
                "[a picture could not be read]",
                Message.text(read(delta(images("png", "aGk=")), end("stop")).blocks()));
    }

    private static String calls(String items) {
        return delta("\"tool_calls\":[" + items + "]");
    }

    private static String end(String reason) {
        return "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"%s\"}]}".formatted(reason);
    }

    private static Block.ToolCall call(ModelAnswer answer, int index) {
        return Message.toolCalls(answer.blocks()).get(index);
    }

    private static String raw(Block block) {
        return Objects.requireNonNull(block.raw()).json();
    }

    @Test
    void textIsReadWithItsUsageAfterTheEnd() throws Exception {
        // Given
        String[] events = {
            "{\"id\":\"c\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\",\"refusal\":null},\"finish_reason\":null}],\"usage\":null}",
            delta("\"content\":\"Hel\""),
            delta("\"content\":\"lo\""),
            end("stop"),
            "{\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5,\"total_tokens\":15,\"prompt_tokens_details\":{\"cached_tokens\":4,\"cache_write_tokens\":3},\"completion_tokens_details\":{\"reasoning_tokens\":2}}}",
            "[DONE]"
        };

        // When
        ModelAnswer answer = read(events);

        // Then
        assertEquals(List.of(Block.text("Hello")), answer.blocks());
        assertEquals(FinishReason.STOP, answer.finish());
        assertEquals(new Usage(10, 5, 2, 4, 3, null), answer.usage());
        assertEquals("m", answer.model());
        assertEquals(String.join("\n", events), answer.raw());
    }

    @Test
    @Tag("K3")
    void assemblesToolCallsByIndex() throws Exception {
        // When
        ModelAnswer answer = read(
                calls(
                        "{\"index\":0,\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"x\",\"arguments\":\"\"}}"),
                calls(
                        "{\"index\":1,\"id\":\"b\",\"type\":\"function\",\"function\":{\"name\":\"y\",\"arguments\":\"\"}}"),
                calls("{\"index\":0,\"function\":{\"arguments\":\"{\\\"n\\\": 90071992\"}}"),
                calls("{\"index\":1,\"function\":{\"arguments\":\"no json\"}}"),
                calls("{\"index\":0,\"function\":{\"arguments\":\"54740993, \\\"n\\\":1.0}\"}}"),
                end("stop"));

        // Then
        assertEquals(FinishReason.TOOL_CALLS, answer.finish());
        assertEquals("{\"n\": 9007199254740993, \"n\":1.0}", call(answer, 0).arguments());
        assertEquals("no json", call(answer, 1).arguments());
        assertEquals(
                "{\"id\":\"b\",\"type\":\"function\",\"function\":{\"name\":\"y\",\"arguments\":\"no json\"}}",
                raw(call(answer, 1)));
        assertEquals("{\"n\": 9007199254740993, \"n\":1.0}no json".length(), talk.arguments.length());
    }

    @Test
    void theSameIndexWithANewIdIsANewCall() throws Exception {
        // When
        ModelAnswer answer = read(
                calls(
                        "{\"index\":0,\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"x\",\"arguments\":\"{}\"}}"),
                calls(
                        "{\"index\":0,\"id\":\"b\",\"type\":\"function\",\"function\":{\"name\":\"x\",\"arguments\":\"{}\"}}"),
                end("tool_calls"));

        // Then
        assertEquals(
                List.of("a", "b"),
                Message.toolCalls(answer.blocks()).stream()
                        .map(Block.ToolCall::id)
                        .toList());
    }

    @Test
    void assignsUniqueReproducibleIdsToCallsWithoutIds() throws Exception {
        // Given
        String[] events = {
            calls("{\"index\":0,\"id\":\"\",\"function\":{\"name\":\"x\",\"arguments\":\"{}\"}}"),
            calls("{\"index\":0,\"id\":\"\",\"function\":{\"name\":\"x\",\"arguments\":\"{}\"}}"),
            calls("{\"function\":{\"name\":\"x\",\"arguments\":{\"a\":1.0}}}"),
            end("stop")
        };

        // When
        ModelAnswer answer = read(events);

        // Then
        List<String> ids = Message.toolCalls(answer.blocks()).stream()
                .map(Block.ToolCall::id)
                .toList();
        assertEquals(3, ids.stream().distinct().count());
        assertTrue(ids.stream().allMatch(id -> id.matches("[A-Za-z0-9_-]{1,40}")));
        assertEquals("{\"a\":1.0}", call(answer, 2).arguments());
        assertTrue(raw(call(answer, 2)).startsWith("{\"id\":\"" + ids.get(2) + "\""));
        assertEquals(answer.blocks(), read(events).blocks());
    }

    @Test
    void anIdThatAnEarlierCallHasIsReplaced() throws Exception {
        talk.user("a").own(ChatTalk.call("c0", "{}", "{}")).result("c0", "b");
        ModelAnswer answer = read(
                calls(
                        "{\"index\":0,\"id\":\"c0\",\"type\":\"function\",\"function\":{\"name\":\"x\",\"arguments\":\"{}\"}}"),
                end("stop"));
        assertFalse(call(answer, 0).id().equals("c0"));
        assertEquals(
                call(answer, 0).id(),
                VerbatimJson.parse(raw(call(answer, 0))).at("id").string());
    }

    @Test
    @Tag("P24")
    void returnsGeminiSignaturesWithTheirCalls() throws Exception {
        server = "gemini";
        String first =
                "{\"extra_content\": {\"google\":{\"thought_signature\":\"c2ln\\/\"}},\"function\":{\"arguments\":\"{\\\"x\\\":1}\",\"name\":\"t\"},\"id\":\"g1\",\"type\":\"function\"}";
        String signature = "{\"google\": {\"thought_signature\":\"bGF0ZXI=\",\"n\":1.0}}";
        ModelAnswer answer = read(
                calls(first),
                calls("{\"function\":{\"arguments\":\"{}\",\"name\":\"t\"},\"id\":\"g2\",\"type\":\"function\"}"),
                calls("{\"id\":\"g2\",\"extra_content\":" + signature + "}"),
                end("stop"));
        assertEquals(first, raw(call(answer, 0)));
        assertTrue(raw(call(answer, 1)).contains("\"extra_content\":" + signature));
        assertFalse(raw(call(answer, 1)).contains("index"));
        String body = next(answer);
        assertTrue(body.contains(first));
        assertTrue(body.contains(raw(call(answer, 1))));
    }

    @Test
    void separateSignatureBelongsToTheLastCall() throws Exception {
        ModelAnswer answer = read(
                calls("{\"function\":{\"arguments\":\"{}\",\"name\":\"t\"},\"id\":\"g\",\"type\":\"function\"}"),
                calls("{\"extra_content\":{\"a\":1}}"),
                end("stop"));
        assertEquals(1, Message.toolCalls(answer.blocks()).size());
        assertTrue(raw(call(answer, 0)).contains("\"extra_content\":{\"a\":1}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"reasoning", "reasoning_content"})
    void streamsReasoningAndReturnsItUnderItsName(String name) throws Exception {
        server = "vllm";
        ModelAnswer answer = read(
                delta("\"" + name + "\":\"I \""),
                delta("\"" + name + "\":\"think\""),
                calls(
                        "{\"index\":0,\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"t\",\"arguments\":\"{}\"}}"),
                end("tool_calls"));
        assertEquals("I think", talk.reasoning.toString());
        assertEquals("{\"" + name + "\":\"I think\"}", raw(answer.blocks().getFirst()));
        assertTrue(next(answer).contains("\"" + name + "\":\"I think\""));
    }

    @Test
    @Tag("P24")
    void openRoutersReasoningDetailsAreJoinedByIndexAndGoBack() throws Exception {
        // Given
        server = "openrouter";
        String encrypted =
                "{\"type\":\"reasoning.encrypted\",\"data\":\"x\\/y\",\"id\":\"r\",\"index\":1,\"z\":1.0,\"a\":12345678901234567890}";

        // When
        ModelAnswer answer = read(
                delta(
                        "\"reasoning\":\"Let\",\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":\"Let\",\"format\":\"anthropic-claude-v1\",\"index\":0,\"signature\":null}]"),
                delta(
                        "\"reasoning\":\" me\",\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":\" me\",\"format\":\"anthropic-claude-v1\",\"index\":0}]"),
                delta(
                        "\"reasoning_details\":[{\"type\":\"reasoning.text\",\"signature\":\"Et8B\",\"format\":\"anthropic-claude-v1\",\"index\":0}]"),
                delta("\"reasoning_details\":[" + encrypted + "]"),
                calls(
                        "{\"index\":0,\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"t\",\"arguments\":\"{}\"}}"),
                end("tool_calls"));

        // Then
        assertEquals("Let me", talk.reasoning.toString());
        String details =
                "\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":\"Let me\",\"format\":\"anthropic-claude-v1\",\"index\":0,\"signature\":\"Et8B\"},"
                        + encrypted + "]";
        assertEquals("{" + details + "}", raw(answer.blocks().getFirst()));
        assertTrue(next(answer).contains(details));
    }

    @Test
    @Tag("P24")
    void unknownMembersOfAMessageAreKeptAndGoBack() throws Exception {
        server = "openrouter";
        ModelAnswer answer = read(
                delta("\"content\":\"see\",\"annotations\":[{\"z\":1.0,\"a\":1,\"a\":2}]"),
                delta("\"annotations\":[{\"n\":null}],\"extra_content\":{\"google\": {}}"),
                end("stop"));
        assertInstanceOf(Block.Raw.class, answer.blocks().getLast());
        assertTrue(
                next(answer)
                        .contains(
                                "\"annotations\":[{\"z\":1.0,\"a\":1,\"a\":2},{\"n\":null}],\"extra_content\":{\"google\": {}}"));
    }

    @Test
    void sendsNoExtraMembersToUnknownServers() throws Exception {
        // Given
        ModelAnswer answer = read(
                delta("\"content\":\"see\",\"executed_tools\":[{\"a\":1}],\"reasoning\":\"hm\""),
                calls(
                        "{\"index\":0,\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"t\",\"arguments\":\"{}\"},\"own\":1.0}"),
                end("tool_calls"));

        // When
        String body = next(answer);

        // Then
        assertFalse(body.contains("executed_tools"), body);
        assertFalse(body.contains("reasoning"), body);
        assertTrue(body.contains("\"own\":1.0"), body);
    }

    @Test
    void doesNotKeepALongRawResponse() throws Exception {
        assertNull(read(delta("\"content\":\"" + "é".repeat(1 << 20) + "\""), end("stop"))
                .raw());
    }

    @Test
    @Tag("P26")
    void surrogatePairsThatAreCutInTwoAreJoined() throws Exception {
        // When
        ModelAnswer answer = read(
                delta("\"content\":\"a\\ud83d\",\"reasoning_content\":\"\\ud83d\""),
                delta("\"reasoning_content\":\"\\ude00\""),
                delta("\"content\":\"\\ude00b\""),
                calls(
                        "{\"index\":0,\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"t\",\"arguments\":\"\\\"\\ud83d\"}}"),
                calls("{\"index\":0,\"function\":{\"arguments\":\"\\ude00\\\"\"}}"),
                delta("\"content\":\"\\ud83d\""),
                end("stop"));

        // Then
        assertEquals("a😀b\uFFFD", talk.text.toString());
        assertEquals("😀", talk.reasoning.toString());
        assertEquals("\"😀\"", call(answer, 0).arguments());
    }

    @Test
    void dropsATruncatedToolCall() throws Exception {
        ModelAnswer answer = read(
                calls(
                        "{\"index\":0,\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"t\",\"arguments\":\"{\\\"a\\\":1}\"}}"),
                calls(
                        "{\"index\":1,\"id\":\"b\",\"type\":\"function\",\"function\":{\"name\":\"t\",\"arguments\":\"{\\\"a\\\":\"}}"),
                end("length"));
        assertEquals(FinishReason.LENGTH, answer.finish());
        assertEquals(1, Message.toolCalls(answer.blocks()).size());
    }

    @ParameterizedTest
    @CsvSource({
        "stop,STOP",
        "eos,STOP",
        "end_turn,STOP",
        "length,LENGTH",
        "max_tokens,LENGTH",
        "MAX_TOKENS,LENGTH",
        "content_filter,CONTENT_FILTER",
        "safety,CONTENT_FILTER",
        "tool_calls,UNKNOWN",
        "function_call,UNKNOWN",
        "surprise,UNKNOWN"
    })
    void mapsFinishReasons(String reason, FinishReason meaning) throws Exception {
        assertEquals(meaning, read(delta("\"content\":\"x\""), end(reason)).finish());
    }

    @Test
    void aReasonThatIsNeverGivenIsUnknown() throws Exception {
        assertEquals(
                FinishReason.UNKNOWN, read(delta("\"content\":\"x\""), "[DONE]").finish());
    }

    @ParameterizedTest
    @CsvSource({"error,SERVER", "insufficient_system_resource,OVERLOADED"})
    void mapsErrorFinishReasonsToFailures(String reason, ErrorCategory category) {
        assertEquals(category, failure(delta("\"content\":\"x\""), end(reason)).category());
    }

    @Test
    void unfinishedStreamIsANetworkFailure() {
        assertEquals(ErrorCategory.NETWORK, failure(delta("\"content\":\"x\"")).category());
        assertEquals(ErrorCategory.NETWORK, failure().category());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"id\":\"g\",\"error\":{\"code\":502,\"message\":\"down\"},\"choices\":[{\"delta\":{\"content\":\"\"},\"finish_reason\":\"error\"}]} | SERVER",
                "{\"error\":{\"code\":429,\"message\":\"slow\",\"metadata\":{}}} | RATE_LIMIT",
                "[{\"error\":{\"code\":503,\"message\":\"busy\",\"status\":\"UNAVAILABLE\"}}] | OVERLOADED",
                "{\"object\":\"error\",\"message\":\"maximum context length is 5\",\"code\":400} | CONTEXT_TOO_LONG",
                "{\"error\":{\"message\":\"x\",\"type\":\"server_error\",\"code\":null}} | SERVER",
                "{\"error\":\"something\"} | SERVER",
                "{\"error\":{\"code\":\"502\",\"message\":\"x\"}} | SERVER",
                "{\"error\":{\"code\":\"429\",\"message\":\"x\"}} | RATE_LIMIT",
                "{\"error\":{\"code\":403,\"message\":\"Your input was flagged\"}} | CONTENT_FILTER",
                "{\"choices\":[{\"error\":{\"code\":529,\"message\":\"x\"}}]} | OVERLOADED"
            })
    void errorsWithinTheStreamAreFailures(String event, ErrorCategory category) {
        assertEquals(
                category, failure(delta("\"content\":\"x\""), event, "[DONE]").category());
    }

    @Test
    void ignoresUnexpectedEvents() throws Exception {
        // When
        ModelAnswer answer = read(
                "{}",
                "[]",
                "null",
                "1",
                "{\"choices\":null}",
                "{\"choices\":[{}]}",
                "{\"choices\":[{\"index\":0}]}",
                "{\"choices\":[{\"index\":1,\"delta\":{\"content\":\"other\"}}]}",
                "{\"timings\":{\"x\":1},\"choices\":[]}",
                "{\"event\":\"news\"}",
                delta(
                        "\"content\":[{\"type\":\"text\",\"text\":\"x\"},{\"type\":\"odd\"}],\"tool_calls\":[{},{\"index\":7}]"),
                end("stop"));

        // Then
        assertEquals(List.of(Block.text("x")), answer.blocks());
        assertEquals(new Usage(0, 0, 0, 0, 0, null), answer.usage());
    }

    @Test
    void lastUsageCountsAndIncludesReasoningAndCache() throws Exception {
        server = "openrouter";
        ModelAnswer answer = read(
                "{\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1,\"total_tokens\":2}}",
                end("stop"),
                "{\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":2,\"total_tokens\":12,\"prompt_cache_hit_tokens\":4,\"cost\":1.5e-05}}");
        assertEquals(new Usage(7, 5, 0, 4, 0, 15_000L), answer.usage());
        server = "other";
        assertNull(read(end("stop"), "{\"usage\":{\"cost\":1}}").usage().costNanos());
    }

    @Test
    void readsAnAnswerWithoutStreaming() throws Exception {
        // Given
        String call =
                "{\"type\":\"function\", \"id\":\"a\",\"function\":{\"arguments\":\"{}\",\"name\":\"t\"},\"x\":1.0}";
        String body =
                "{\"model\":\"m\",\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"hi\",\"reasoning_content\":\"why\",\"tool_calls\":[%s]},\"finish_reason\":\"tool_calls\"}],\"usage\":{\"prompt_tokens\":3}}"
                        .formatted(call);

        // When
        ModelAnswer answer = readBody(body);

        // Then
        assertEquals("hi", talk.text.toString());
        assertEquals(FinishReason.TOOL_CALLS, answer.finish());
        assertEquals(call, raw(call(answer, 0)));
        assertEquals(3, answer.usage().input());
        assertEquals(body, answer.raw());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{\"error\":{\"code\":429,\"message\":\"x\"}}] | RATE_LIMIT",
                "{\"error\":{\"code\":\"x\",\"type\":\"authentication_error\",\"message\":\"x\"}} | AUTH",
                "{\"hello\":1} | SERVER"
            })
    void readsAnErrorWithoutStreaming(String body, ErrorCategory category) {
        assertEquals(
                category, assertThrows(ModelFailure.class, () -> readBody(body)).category());
    }

    @Test
    void answerOfAnAliasKeepsTheAliasAsModel() throws Exception {
        talk.model("vendor/model-4.5");
        assertEquals(
                "vendor/model-4.5",
                read("{\"model\":\"vendor/4.5-model-20250929\"}", end("stop")).model());
        talk.model("gpt-5");
        assertEquals(
                "gpt-5-2025-08-07",
                read("{\"model\":\"gpt-5-2025-08-07\"}", end("stop")).model());
    }

    /** Random values split at random positions are returned with identical text. */
    @Test
    @Tag("P24")
    void returnsGeneratedCallsUnchanged() throws Exception {
        String[] traps = {
            "9007199254740993",
            "1.0",
            "1e2",
            "0.1000000000000000055",
            "\"\\u0000\"",
            "\"\\u00e9\\/\"",
            "\"😀\"",
            "null",
            "{\"z\":1,\"a\":2,\"a\":3}",
            "[ ]",
            "{ }",
            "12345678901234567890123",
            "\"%s\"".formatted("x".repeat(1 << 20))
        };
        var random = new Random(4711);
        for (int round = 0; round < 40; round++) {
            talk.requests.startOverWith("s");
            talk.text.setLength(0);
            var arguments = new ArrayList<String>();
            var extras = new ArrayList<String>();
            var events = new ArrayList<String>();
            int count = 1 + random.nextInt(3);
            for (int i = 0; i < count; i++) {
                // The last pitfall takes long: one round in a few is enough.
                int bound = traps.length - (round % 10 == 0 ? 0 : 1);
                String value =
                        "{\"v\": %s,\"v\":%s}".formatted(traps[random.nextInt(bound)], traps[random.nextInt(12)]);
                String extra = "{\"%d\":%s , \"b\":%s}"
                        .formatted(random.nextInt(9), traps[random.nextInt(12)], traps[random.nextInt(12)]);
                arguments.add(value);
                extras.add(extra);
                events.add(calls(
                        "{\"index\":%d,\"id\":\"c%d\",\"type\":\"function\",\"function\":{\"name\":\"t\",\"arguments\":\"\"}%s}"
                                .formatted(i, i, random.nextBoolean() ? ",\"extra_content\":" + extra : "")));
                if (!events.getLast().contains("extra_content")) {
                    events.add(calls("{\"index\":%d,\"extra_content\":%s}".formatted(i, extra)));
                }
                for (int from = 0; from < value.length(); ) {
                    int to = Math.min(value.length(), from + 1 + random.nextInt(value.length()));
                    events.add(calls("{\"index\":%d,\"function\":{\"arguments\":%s}}"
                            .formatted(i, escaped(value.substring(from, to)))));
                    from = to;
                }
            }
            events.add(end("tool_calls"));
            ModelAnswer answer = read(events.toArray(String[]::new));
            String body = next(answer);
            for (int i = 0; i < count; i++) {
                assertEquals(arguments.get(i), call(answer, i).arguments());
                assertTrue(body.contains("\"extra_content\":" + extras.get(i)));
                assertTrue(body.contains(raw(call(answer, i))));
            }
        }
    }

    /** JSON string with all non-ASCII characters escaped, including unpaired surrogates. */
    private static String escaped(String text) {
        var json = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            json.append(
                    c > '~'
                            ? "\\u%04x".formatted((int) c)
                            : String.valueOf(c).replace("\\", "\\\\").replace("\"", "\\\""));
        }
        return '"' + json.toString() + '"';
    }
}
