package dev.parley.agents.model.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.agents.model.OfficialKits;
import dev.parley.agents.model.wire.VerbatimJson;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Refuses what the Responses API refuses with status 400. */
final class StrictResponses {
    private static final Set<String> KNOWN = Set.of(
            "model",
            "store",
            "stream",
            "stream_options",
            "instructions",
            "input",
            "tools",
            "tool_choice",
            "parallel_tool_calls",
            "temperature",
            "top_p",
            "max_output_tokens",
            "reasoning",
            "include",
            "text",
            "truncation",
            "service_tier",
            "prompt_cache_key");

    private static final Set<String> CALLS = Set.of(
            "function_call", "custom_tool_call", "computer_call", "local_shell_call", "shell_call", "apply_patch_call");

    private StrictResponses() {}

    static void check(String body) throws IOException {
        OfficialKits.responses(body);
        VerbatimJson request = VerbatimJson.parse(body);
        assertTrue(
                KNOWN.containsAll(request.members().keySet()),
                () -> request.members().keySet().toString());
        boolean reasons = !request.at("model").string().startsWith("gpt-4");
        boolean refrains = request.at("reasoning", "effort").string().equals("none");
        assertTrue(!reasons || refrains || !request.at("temperature").isPresent(), "no temperature for who reasons");
        assertTrue(reasons || !request.at("reasoning").isPresent(), "no reasoning for who does not");
        assertTrue(reasons || !request.at("include").isPresent(), "encrypted content is not supported with this model");
        request.at("tools").items().stream()
                .filter(tool -> tool.at("type").string().equals("function"))
                .forEach(tool -> assertTrue(tool.at("strict").text().equals("false")
                        && tool.at("parameters").isPresent()));
        List<VerbatimJson> tools = request.at("tools").items();
        var names = tools.stream().map(StrictResponses::name).toList();
        assertEquals(Set.copyOf(names).size(), names.size(), () -> "Tool names must be unique: " + names);
        boolean preview =
                tools.stream().anyMatch(tool -> tool.at("type").string().equals("computer_use_preview"));
        assertEquals(preview, request.at("truncation").string().equals("auto"), "truncation of the computer's preview");
        items(request.at("input").items());
    }

    private static String name(VerbatimJson tool) {
        return tool.at("name").string(tool.at("type").string().replace("_use_preview", ""));
    }

    private static void items(List<VerbatimJson> items) {
        assertFalse(items.isEmpty(), "input is empty");
        var open = new HashMap<String, VerbatimJson>();
        var ids = new HashSet<String>();
        for (int i = 0; i < items.size(); i++) {
            VerbatimJson item = items.get(i);
            String type = item.at("type").string("message");
            String id = item.at("id").string();
            assertTrue(id.isEmpty() || ids.add(id), "Duplicate item found with id " + id);
            switch (type) {
                case String call
                when CALLS.contains(call) ->
                    assertNull(open.put(item.at("call_id").string(), item), "Duplicate call");
                case String output
                when output.endsWith("_call_output") -> {
                    VerbatimJson call = open.remove(item.at("call_id").string());
                    assertNotNull(call, "No tool call found for function call output");
                    assertEquals(call.at("type").string() + "_output", output, "of another kind than its call");
                    output(call, item);
                }
                case "message" -> {
                    assertTrue(open.isEmpty() || !item.at("role").string().equals("user"), "No tool output found");
                    String content = item.at("content").text();
                    assertFalse(content.isEmpty() || content.equals("[]"), "content is empty");
                }
                case "image_generation_call" ->
                    assertEquals(
                            Set.of("id", "type", "status", "result"),
                            item.members().keySet(),
                            "Unknown parameter");
                case "reasoning" -> {
                    assertTrue(item.at("encrypted_content").isPresent(), "Item not found: not persisted");
                    assertTrue(
                            i + 1 < items.size()
                                    && !items.get(i + 1).at("role").string().equals("user")
                                    && !items.get(i + 1).at("type").string().endsWith("_output"),
                            "reasoning was provided without its required following item");
                }
                default -> {}
            }
        }
        assertEquals(Set.of(), open.keySet(), "No tool output found for function call");
    }

    private static void output(VerbatimJson call, VerbatimJson item) {
        VerbatimJson output = item.at("output");
        switch (call.at("type").string()) {
            case "computer_call" -> {
                assertEquals("computer_screenshot", output.at("type").string());
                assertTrue(
                        output.at("image_url").string().matches("(?s)data:image/.+;base64,.+|https://.+")
                                || !output.at("file_id").string().isEmpty(),
                        "Invalid image");
                assertEquals(
                        call.at("pending_safety_checks").items().size(),
                        item.at("acknowledged_safety_checks").items().size(),
                        "Computer tool has unacknowledged safety check");
            }
            case "shell_call" -> {
                assertEquals(
                        call.at("action", "max_output_length").text(),
                        item.at("max_output_length").text());
                assertFalse(output.items().isEmpty());
                for (VerbatimJson piece : output.items()) {
                    assertTrue(
                            piece.at("stdout").isString() && piece.at("stderr").isString());
                    assertTrue(Set.of("exit", "timeout")
                            .contains(piece.at("outcome", "type").string()));
                }
            }
            case "apply_patch_call" ->
                assertTrue(
                        Set.of("completed", "failed").contains(item.at("status").string()));
            case "local_shell_call" ->
                assertTrue(output.isString() && !item.at("id").string().isEmpty());
            default -> assertTrue(output.isString() || !output.items().isEmpty());
        }
    }
}
