package dev.parley.agents.model.anthropic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.agents.model.OfficialKits;
import dev.parley.agents.model.wire.VerbatimJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Rejects what the Messages API rejects with status 400, including thinking that it did not sign. */
final class StrictMessages {
    private static final Set<String> KNOWN = Set.of(
            "model",
            "max_tokens",
            "stream",
            "system",
            "tools",
            "tool_choice",
            "messages",
            "thinking",
            "output_config",
            "temperature",
            "top_p",
            "stop_sequences",
            "service_tier",
            "container");
    private static final Pattern ID = Pattern.compile("[a-zA-Z0-9_-]+");
    private static final Pattern BUDGETED =
            Pattern.compile("claude-(3-7-|(opus|sonnet|haiku)-4(-[0-5])?(-\\d{8})?$).*");
    private static final Pattern SAMPLED = Pattern.compile("claude-3-.*|" + BUDGETED + "|.*-4-6.*");
    private static final Pattern ALWAYS = Pattern.compile(".*(opus-5-5|fable-|mythos-).*");
    private static final Pattern BINDING =
            Pattern.compile(".*(opus-5-5|sonnet-5-5|haiku-5-5|fable-5-[12]|mythos-5-[12]).*");

    private final VerbatimJson request;
    private final String model;
    private final List<VerbatimJson> messages;

    private StrictMessages(VerbatimJson request) {
        this.request = request;
        this.model = request.at("model").string();
        this.messages = request.at("messages").items();
    }

    /** The signature of streamed thinking. */
    static String signature(String thinking) {
        return "EqQ+/" + Integer.toHexString(thinking.hashCode()) + "==";
    }

    /** @param beta the header {@code anthropic-beta} */
    static void check(String body, String beta) throws IOException {
        OfficialKits.messages(body);
        var strict = new StrictMessages(VerbatimJson.parse(body));
        strict.settings();
        strict.thinking(beta);
        strict.tools();
        strict.roles();
        strict.pairs();
        strict.contents();
    }

    private void settings() {
        assertTrue(
                KNOWN.containsAll(request.members().keySet()),
                () -> "Extra inputs are not permitted: " + request.members().keySet());
        assertTrue(request.at("max_tokens").number() > 0, "max_tokens: Field required");
        boolean sampled = SAMPLED.matcher(model).matches();
        boolean thinks = Set.of("enabled", "adaptive").contains(type(request.at("thinking")));
        VerbatimJson temperature = request.at("temperature");
        VerbatimJson topP = request.at("top_p");
        assertTrue(
                sampled || !temperature.isPresent() && !topP.isPresent(), "temperature is deprecated for this model");
        assertTrue(!thinks || !temperature.isPresent(), "`temperature` may only be set to 1 when thinking is enabled");
        assertFalse(temperature.isPresent() && topP.isPresent(), "`temperature` and `top_p` cannot both be specified");
        request.at("stop_sequences")
                .items()
                .forEach(stop -> assertFalse(stop.string().isBlank()));
        int marks = (request.text().length()
                        - request.text().replace("\"cache_control\"", "").length())
                / 15;
        assertTrue(marks <= 4, "A maximum of 4 blocks with cache_control may be provided. Found " + marks);
    }

    private void thinking(String beta) {
        VerbatimJson thinking = request.at("thinking");
        VerbatimJson binding = thinking.at("block_binding");
        assertTrue(
                !binding.isPresent() || beta.contains("thinking-binding-controls-2026-08-01"),
                "thinking.block_binding: Extra inputs are not permitted");
        switch (type(thinking)) {
            case "enabled" -> {
                assertTrue(BUDGETED.matcher(model).matches(), "thinking.type.enabled is not supported for this model");
                long budget = thinking.at("budget_tokens").number();
                assertTrue(budget >= 1024, "budget_tokens must be at least 1024");
                assertTrue(
                        request.at("max_tokens").number() > budget,
                        "`max_tokens` must be greater than `thinking.budget_tokens`");
            }
            case "adaptive" ->
                assertFalse(
                        BUDGETED.matcher(model).matches() || model.startsWith("claude-3"),
                        "adaptive thinking is not supported on this model");
            case "disabled" ->
                assertFalse(
                        ALWAYS.matcher(model).matches() || model.contains("sonnet-5-5"),
                        "thinking.type.disabled is not supported for this model");
            default -> assertEquals("", type(thinking));
        }
        boolean bound = BINDING.matcher(model).matches()
                && request.at("messages").text().contains("\"thinking\",");
        assertTrue(!bound || binding.isPresent(), "The block may be bound to a different conversation");
    }

    private void tools() {
        List<VerbatimJson> tools = request.at("tools").items();
        assertTrue(!tools.isEmpty() || !request.at("tool_choice").isPresent(), "tool_choice needs tools");
        for (VerbatimJson tool : tools) {
            assertTrue(
                    tool.at("type").isPresent()
                            || tool.at("input_schema", "type").string().equals("object"),
                    "tools.0.input_schema.type: Field required");
        }
        boolean used = messages.stream()
                .flatMap(message -> content(message).stream())
                .anyMatch(block -> type(block).startsWith("tool_"));
        assertTrue(!used || !tools.isEmpty(), "Requests which include tool blocks must define tools");
    }

    private void roles() {
        assertFalse(messages.isEmpty(), "messages: at least one message is required");
        for (int i = 0; i < messages.size(); i++) {
            assertEquals(
                    i % 2 == 0 ? "user" : "assistant",
                    messages.get(i).at("role").string());
        }
        assertTrue(
                messages.size() % 2 == 1
                        || content(messages.getLast()).stream().anyMatch(b -> type(b).startsWith("server_")),
                "The conversation must end with a user message");
    }

    private void pairs() {
        var seen = new HashSet<String>();
        Set<String> open = Set.of();
        for (VerbatimJson message : messages) {
            var results = new ArrayList<String>();
            var calls = new HashSet<String>();
            var hosted = new HashSet<String>();
            boolean other = false;
            for (VerbatimJson block : content(message)) {
                String id = block.at("id").string();
                switch (type(block)) {
                    case "tool_use" -> {
                        assertTrue(ID.matcher(id).matches(), "String should match pattern '^[a-zA-Z0-9_-]+$': " + id);
                        assertTrue(seen.add(id), "`tool_use` ids must be unique: " + id);
                        assertTrue(block.at("input").text().startsWith("{"), "input: Input should be an object");
                        calls.add(id);
                    }
                    case "server_tool_use" -> hosted.add(id);
                    case "web_search_tool_result" ->
                        assertTrue(hosted.remove(block.at("tool_use_id").string()), "without server_tool_use");
                    case "tool_result" -> {
                        assertFalse(other, "Did not find `tool_result` block(s) at the beginning of this message");
                        results.add(block.at("tool_use_id").string());
                    }
                    default -> other = true;
                }
            }
            assertTrue(
                    hosted.isEmpty() || message == messages.getLast(), "tool use without its tool_result: " + hosted);
            assertEquals(open, Set.copyOf(results), "`tool_use` ids without `tool_result` blocks immediately after");
            assertEquals(open.size(), results.size(), "each tool_use must have a single result");
            open = calls;
        }
        assertEquals(Set.of(), open);
    }

    private void contents() {
        boolean budget = type(request.at("thinking")).equals("enabled");
        for (VerbatimJson message : messages) {
            List<VerbatimJson> content = content(message);
            assertFalse(content.isEmpty(), "messages must have non-empty content");
            boolean assistant = message.at("role").string().equals("assistant");
            if (budget && message == lastTurn()) {
                assertTrue(
                        isThinking(content.getFirst()), "Expected `thinking`, but found " + type(content.getFirst()));
            }
            assertFalse(assistant && isThinking(content.getLast()), "The final block cannot be `thinking`");
            content.forEach(StrictMessages::block);
        }
    }

    /** The first message of the assistant's current turn. */
    private VerbatimJson lastTurn() {
        VerbatimJson first = VerbatimJson.MISSING;
        for (VerbatimJson message : messages.reversed()) {
            if (message.at("role").string().equals("assistant")) {
                first = message;
            } else if (content(message).stream().noneMatch(block -> type(block).equals("tool_result"))) {
                return first;
            }
        }
        return first;
    }

    private static void block(VerbatimJson block) {
        switch (type(block)) {
            case "text" ->
                assertFalse(
                        block.at("text").string().isBlank(), "text content blocks must contain non-whitespace text");
            case "thinking" ->
                assertEquals(
                        signature(block.at("thinking").string()),
                        block.at("signature").string(),
                        "Invalid `signature` in `thinking` block");
            case "redacted_thinking" -> assertTrue(block.at("data").isString(), "data: Field required");
            case "image", "document" -> assertEquals("base64", type(block.at("source")));
            default -> {}
        }
        assertFalse(isThinking(block) && block.at("cache_control").isPresent(), "cache_control: not permitted");
    }

    private static boolean isThinking(VerbatimJson block) {
        return type(block).equals("thinking") || type(block).equals("redacted_thinking");
    }

    private static List<VerbatimJson> content(VerbatimJson message) {
        return message.at("content").items();
    }

    private static String type(VerbatimJson block) {
        return block.at("type").string();
    }
}
