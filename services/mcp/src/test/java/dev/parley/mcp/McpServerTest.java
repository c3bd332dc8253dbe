package dev.parley.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class McpServerTest {
    @Test
    void rejectsTwoToolsWithOneName() {
        McpTool tool = McpTool.all().getFirst();

        var rejected = assertThrows(IllegalStateException.class, () -> McpServer.offered(List.of(tool, tool)));

        assertEquals("Two MCP tools have the name " + tool.name(), rejected.getMessage());
    }
}
