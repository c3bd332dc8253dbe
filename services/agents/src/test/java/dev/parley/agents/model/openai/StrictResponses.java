package dev.parley.agents.model.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.agents.model.wire.JsonText;
import java.io.IOException;
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
            "service_tier",
            "prompt_cache_key");

    private StrictResponses() {}

    static void check(String body) throws IOException {
        JsonText request = JsonText.parse(body);
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
        items(request.at("input").items());
    }

    private static void items(List<JsonText> items) {
        assertFalse(items.isEmpty(), "input is empty");
        var open = new HashSet<String>();
        var ids = new HashSet<String>();
        for (int i = 0; i < items.size(); i++) {
            JsonText item = items.get(i);
            String type = item.at("type").string("message");
            String id = item.at("id").string();
            assertTrue(id.isEmpty() || ids.add(id), "Duplicate item found with id " + id);
            switch (type) {
                case "function_call", "custom_tool_call" ->
                    assertTrue(open.add(item.at("call_id").string()), "Duplicate call");
                case "function_call_output", "custom_tool_call_output" ->
                    assertTrue(open.remove(item.at("call_id").string()), "No tool call found for function call output");
                case "message" -> {
                    assertTrue(open.isEmpty() || !item.at("role").string().equals("user"), "No tool output found");
                    String content = item.at("content").text();
                    assertFalse(content.isEmpty() || content.equals("[]"), "content is empty");
                }
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
        assertEquals(Set.of(), open, "No tool output found for function call");
    }
}
