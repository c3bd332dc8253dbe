package dev.parley.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.parley.mcp.RpcMessage.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class McpVersionTest {
    private static final String MODERN = "2026-07-28";

    private static Request request(String method, ObjectNode params) {
        return new Request(TextNode.valueOf("1"), method, params);
    }

    private static ObjectNode meta(String version) {
        ObjectNode params = McpJson.object();
        ObjectNode meta = params.putObject("_meta").put("io.modelcontextprotocol/protocolVersion", version);
        meta.putObject("io.modelcontextprotocol/clientCapabilities");
        return params;
    }

    private static McpVersion of(String method, ObjectNode params, String version, String header, String name) {
        return McpVersion.of(request(method, params), new RequestHeaders(version, header, name));
    }

    private static int code(String method, ObjectNode params, String version, String header, String name) {
        return assertThrows(McpException.class, () -> of(method, params, version, header, name))
                .code();
    }

    @Test
    void versionInMetaSelectsTheModernProtocol() {
        assertTrue(of("tools/list", meta(MODERN), MODERN, "tools/list", null).isModern());
    }

    @ParameterizedTest
    @CsvSource({"2025-11-25, 2025-11-25", "2025-06-18, 2025-06-18", "2025-03-26, 2025-03-26", ", 2025-03-26"})
    void requestWithoutMetaIsOfAnEarlierVersion(String header, String version) {
        assertEquals(new McpVersion(version), of("tools/list", McpJson.object(), header, null, null));
    }

    @Test
    void acceptsAnEarlierVersionInMeta() {
        assertEquals(new McpVersion("2025-11-25"), of("tools/list", meta("2025-11-25"), "2025-11-25", null, null));
    }

    @Test
    void unknownVersionReturnsTheSupportedVersions() {
        var e = assertThrows(
                McpException.class, () -> of("tools/list", meta("1900-01-01"), "1900-01-01", "tools/list", null));
        assertEquals(-32022, e.code());
        assertEquals(400, e.status());
        ObjectNode error = (ObjectNode) e.json(null).get("error");
        assertEquals("1900-01-01", error.at("/data/requested").asText());
        assertEquals(MODERN, error.at("/data/supported/0").asText());
        assertEquals(-32022, code("tools/list", McpJson.object(), "1900-01-01", null, null));
    }

    @Test
    void rejectsMissingMetaFields() {
        ObjectNode noVersion = McpJson.object();
        noVersion.putObject("_meta").putObject("io.modelcontextprotocol/clientCapabilities");
        ObjectNode noCapabilities = McpJson.object();
        noCapabilities.putObject("_meta").put("io.modelcontextprotocol/protocolVersion", MODERN);

        assertEquals(-32602, code("server/discover", McpJson.object(), MODERN, "server/discover", null));
        assertEquals(-32602, code("tools/list", noVersion, MODERN, "tools/list", null));
        assertEquals(-32602, code("tools/list", noCapabilities, MODERN, "tools/list", null));
    }

    @Test
    void rejectsHeadersThatDifferFromTheBody() {
        // Given
        ObjectNode call = meta(MODERN).put("name", "recall");

        // Then
        assertTrue(of("tools/call", call, MODERN, "tools/call", "recall").isModern());
        assertTrue(of("tools/call", call, MODERN, "tools/call", "=?base64?cmVjYWxs?=")
                .isModern());

        assertEquals(-32020, code("tools/list", meta(MODERN), null, "tools/list", null));
        assertEquals(-32020, code("tools/list", meta(MODERN), "2025-11-25", "tools/list", null));
        assertEquals(-32020, code("tools/list", meta(MODERN), MODERN, null, null));
        assertEquals(-32020, code("tools/list", meta(MODERN), MODERN, "TOOLS/LIST", null));
        assertEquals(-32020, code("tools/call", call, MODERN, "tools/call", null));
        assertEquals(-32020, code("tools/call", call, MODERN, "tools/call", "retain"));
        assertEquals(-32020, code("tools/call", call, MODERN, "tools/call", "=?base64?cmVjYWxs!?="));
        assertEquals(-32020, code("tools/call", call, MODERN, "tools/call", "=?base64?cmVjYWx?="));
    }

    @ParameterizedTest
    @CsvSource({"2025-11-25, 2025-11-25", "2025-06-18, 2025-06-18", "2024-11-05, 2025-11-25", "2026-07-28, 2025-11-25"})
    void initializeNegotiatesTheRequestedOrNewestVersion(String requested, String version) {
        assertEquals(version, McpVersion.negotiate(TextNode.valueOf(requested)));
    }
}
