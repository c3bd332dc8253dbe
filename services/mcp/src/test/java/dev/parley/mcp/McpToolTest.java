package dev.parley.mcp;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.api.Api;
import dev.parley.platform.api.ApiAnswer;
import dev.parley.platform.config.ProcessRole;
import dev.parley.platform.schema.JsonSchema;
import java.util.Arrays;
import java.util.HashSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class McpToolTest {
    @Test
    void toolsHaveValidNamesAndSchemas() {
        var names = new HashSet<String>();
        for (McpTool tool : McpTool.all()) {
            assertTrue(names.add(tool.name()), tool.name());
            assertTrue(tool.name().matches("[a-z_]{1,64}"), tool.name());
            ObjectNode json = tool.json();
            assertDoesNotThrow(
                    () -> JsonSchema.ofArguments(json.get("inputSchema").toString()), tool.name());
            assertDoesNotThrow(() -> JsonSchema.of(json.get("outputSchema").toString()), tool.name());
            assertEquals("object", json.at("/outputSchema/type").asText());
        }
    }

    @Test
    void definitionsFitIntoOnePage() {
        int bytes = McpTool.all().stream()
                .mapToInt(tool -> McpJson.bytes(tool.json()).length)
                .sum();
        assertTrue(bytes < 64 << 10, bytes + " bytes");
    }

    @Test
    void rolesAreProcessRoles() {
        var roles = Arrays.stream(ProcessRole.values()).map(ProcessRole::code).collect(Collectors.toSet());
        McpTool.all().forEach(tool -> assertTrue(roles.containsAll(tool.roles()), tool.name()));
        Resource.all().forEach(kind -> assertTrue(roles.containsAll(kind.roles()), kind.name()));
    }

    @ParameterizedTest
    @CsvSource({
        "list_sessions, true, false, true",
        "recall, true, false, true",
        "retain, false, false, true",
        "ask_agent, false, false, false",
        "cancel_turn, false, true, true",
    })
    void annotationsDescribeTheEffectOfATool(String name, boolean reads, boolean destroys, boolean isIdempotent) {
        JsonNode hints = McpTool.all().stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow()
                .json()
                .get("annotations");
        assertEquals(reads, hints.get("readOnlyHint").asBoolean());
        assertEquals(destroys, hints.get("destructiveHint").asBoolean());
        assertEquals(isIdempotent, hints.get("idempotentHint").asBoolean());
    }

    @Test
    void errorHasNoStructuredContent() {
        ObjectNode failed = new ToolResult.Failed("no").json();
        assertTrue(failed.get("isError").asBoolean());
        assertNull(failed.get("structuredContent"));
        ObjectNode result = new ToolResult.Structured(McpJson.object().put("a", 1)).json();
        assertNull(result.get("isError"));
        assertEquals("{\"a\":1}", result.at("/content/0/text").asText());
    }

    @Test
    void apiProblemBecomesASentenceWithAdvice() {
        String problem = answer(429, "{\"detail\":\"Too many turns\",\"code\":\"too_many_turns\"}", "7")
                .problem();
        assertEquals("Too many turns. (too_many_turns) Try again in 7 s.", problem);
        assertTrue(answer(403, "{\"detail\":\"You may not\",\"code\":\"forbidden\"}", null)
                .problem()
                .contains("Ask a leader"));
        String page = answer(502, "<html>at java.lang.Thread.run</html>", null).problem();
        assertFalse(page.contains("java.lang"), page);
        assertTrue(page.contains("idempotency_key"), page);
    }

    private static ApiAnswer answer(int status, String body, String retryAfter) {
        return new ApiAnswer(
                status, "application/problem+json", body.getBytes(java.nio.charset.StandardCharsets.UTF_8), retryAfter);
    }

    @Test
    void identityTextOmitsTheKey() {
        var identity = new Api.Identity("Bearer sk-sentinel-key", "c", null);
        assertFalse(identity.toString().contains("sentinel"));
    }

    @Test
    void limitsConcurrentCallsPerUserAndInTotal() {
        var limits = new CallLimits(3, 2);
        var permit = limits.acquire("ann");
        limits.acquire("ann");
        assertEquals(429, status(limits, "ann"));
        limits.acquire("bob");
        assertEquals(429, status(limits, "cid"));
        permit.close();
        limits.acquire("cid");
    }

    private static int status(CallLimits limits, String user) {
        try {
            limits.acquire(user);
            return 200;
        } catch (McpException e) {
            return e.status();
        }
    }
}
