package dev.parley.agents.model.openai;

import dev.parley.agents.model.Agents;
import dev.parley.agents.model.ModelRequests;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.platform.blob.BlobStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResponsesRequestTest {
    private static final List<String> MODELS = List.of("gpt-4.1", "gpt-5", "gpt-5.2", "o3", "gpt-6-astra");
    private static final List<String> RESULTS = List.of(
            "found",
            "",
            "[1]",
            ClientTool.BLANK,
            "{\"image_url\":\"" + ClientTool.BLANK + "\"}",
            "{\"file_id\":\"file-1\"}",
            "[{\"stdout\":\"a\",\"stderr\":\"\",\"outcome\":{\"type\":\"timeout\"}}]");
    private static final Map<String, String> CALLS = Map.of(
            "function_call", "\"name\":\"search\",\"arguments\":\"{}\"",
            "custom_tool_call", "\"name\":\"patch\",\"input\":\"x\"",
            "computer_call", "\"action\":{\"type\":\"screenshot\"},\"pending_safety_checks\":[]",
            "computer_call ", "\"action\":{\"type\":\"screenshot\"},\"pending_safety_checks\":[{\"id\":\"s\"}]",
            "local_shell_call", "\"action\":{\"type\":\"exec\",\"command\":[\"ls\"],\"env\":{}}",
            "shell_call", "\"action\":{\"commands\":[\"ls\"],\"max_output_length\":100}",
            "apply_patch_call", "\"operation\":{\"type\":\"delete_file\",\"path\":\"a\"}");
    private static final String PICTURE = "\"status\":\"completed\",\"revised_prompt\":\"a cat\",\"result\":null";
    private static final Map<String, String> OPTIONS = Map.of(
            "responseSchema", "{\"type\":\"object\"}",
            "hostedTools", "[{\"type\":\"web_search\"},{\"type\":\"computer\"},{\"type\":\"apply_patch\"}]",
            "verbosity", "low",
            "serviceTier", "flex",
            "reasoningSummary", "auto",
            "stop", "END");

    @TempDir
    private Path folder;

    @Test
    @Tag("P27")
    void requestsOfRandomHistoriesAreValid() throws Exception {
        var blobs = new BlobStore(folder, 1 << 20);
        for (long seed = 0; seed < 150; seed++) {
            var talk = new Talk(new Random(seed), blobs);
            String body = ResponsesRequest.body(talk.requests.request(), "openai", new Attachments(blobs));
            try {
                StrictResponses.check(body);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + body, e);
            }
        }
    }

    /** A random conversation in which every tool call has its result, as the turn machine guarantees. */
    private static final class Talk {
        private final Random random;
        private final BlobStore blobs;
        private final ModelRequests requests = new ModelRequests();
        private final String model;
        private int ids;

        Talk(Random random, BlobStore blobs) throws IOException {
            this.random = random;
            this.blobs = blobs;
            this.model = any(MODELS);
            requests.agent(agent());
            if (random.nextBoolean()) {
                requests.tools("search", "computer");
            }
            if (random.nextInt(4) == 0) {
                requests.startOverWith("they met");
            }
            if (random.nextInt(4) == 0) {
                requests.toolsNotAllowed();
            }
            for (int turns = random.nextInt(4); turns >= 0; turns--) {
                turn();
            }
        }

        private Agent agent() {
            var options = new HashMap<>(OPTIONS);
            options.keySet().removeIf(_ -> random.nextBoolean());
            return Agents.of(
                    "openai",
                    model,
                    random.nextBoolean() ? 0.3 : null,
                    random.nextBoolean() ? 500 : null,
                    any(List.of(ThinkingLevel.values())),
                    options);
        }

        private void turn() throws IOException {
            requests.message(new Message(
                    Role.USER,
                    List.of(Block.text("go"), file("a.png", "\u0089PNG"), file("b.pdf", "%PDF"), file("c.txt", "1")),
                    false,
                    null,
                    null));
            for (int steps = random.nextInt(3); steps >= 0; steps--) {
                step();
            }
        }

        private void step() throws IOException {
            boolean own = random.nextInt(3) > 0;
            boolean interrupted = random.nextInt(5) == 0;
            var blocks = new ArrayList<Block>();
            if (random.nextBoolean()) {
                blocks.add(thinking());
            }
            for (int remaining = random.nextInt(3); remaining >= 0; remaining--) {
                blocks.add(random.nextBoolean() && !interrupted ? call() : output());
            }
            requests.message(new Message(
                    Role.ASSISTANT,
                    blocks,
                    interrupted,
                    own ? "openai" : "anthropic",
                    own ? model : "claude-opus-5-5"));
            for (Block.ToolCall call : Message.toolCalls(blocks)) {
                boolean error = random.nextInt(4) == 0;
                requests.message(Message.toolResult(call.id(), error ? "error: no" : any(RESULTS), error));
            }
        }

        private Block thinking() {
            String sealed = random.nextBoolean() ? "\"gAAA\"" : "null";
            return new Block.Thinking("hm", null, item("reasoning", "\"summary\":[],\"encrypted_content\":" + sealed));
        }

        private Block output() throws IOException {
            return switch (random.nextInt(5)) {
                case 0 -> Block.text("I see");
                case 1 ->
                    new Block.Text(
                            "hi",
                            item(
                                    "message",
                                    "\"status\":\"completed\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"annotations\":[],\"logprobs\":[],\"text\":\"hi\"}]"));
                case 2 -> file("image.png", "\u0089PNG", item("image_generation_call", PICTURE));
                case 3 ->
                    new Block.File(
                            "gone.png", "image/png", 7, "0".repeat(64), null, item("image_generation_call", PICTURE));
                default ->
                    new Block.Raw(item(
                            "web_search_call",
                            "\"status\":\"completed\",\"action\":{\"type\":\"search\",\"query\":\"q\"}"));
            };
        }

        private Block call() {
            String kind = any(CALLS.keySet().stream().sorted().toList());
            String id = "call_" + ids++;
            String members = "\"status\":\"completed\",\"call_id\":\"" + id + "\"," + CALLS.get(kind);
            return new Block.ToolCall(id, "search", "{}", item(kind.strip(), members));
        }

        private ProviderItem item(String type, String members) {
            return new ProviderItem(
                    "openai", type, "{\"id\":\"i_%d\",\"type\":\"%s\",%s}".formatted(ids++, type, members));
        }

        private Block.File file(String name, String bytes) throws IOException {
            return file(name, bytes, null);
        }

        private Block.File file(String name, String bytes, @Nullable ProviderItem raw) throws IOException {
            var blob = blobs.put(new ByteArrayInputStream(bytes.getBytes(StandardCharsets.ISO_8859_1)));
            String type = name.endsWith("txt") ? "text/plain" : "image/png";
            return new Block.File(name, type, blob.size(), blob.sha256(), null, raw);
        }

        private <T> T any(List<T> choices) {
            return choices.get(random.nextInt(choices.size()));
        }
    }
}
