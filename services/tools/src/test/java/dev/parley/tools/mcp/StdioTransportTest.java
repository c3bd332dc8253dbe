package dev.parley.tools.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.tools.mcp.McpServerAddress.Program;
import dev.parley.tools.mcp.McpTransport.Listener;
import dev.parley.tools.mcp.McpTransport.Outgoing;
import dev.parley.tools.mcp.McpTransport.UnsentException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StdioTransportTest {
    private static final Listener NOBODY = new Listener() {
        @Override
        public void onMessage(String json) {}

        @Override
        public void onLost(IOException cause) {}
    };

    @Test
    void saysWhyAProgramCannotBeStarted() {
        // Given
        var program = new Program(List.of("/no/such/program", "hidden-value"), Map.of("KEY", "hidden-value"));
        var transport = new StdioTransport(program);
        transport.open(NOBODY);

        // When
        var failure = assertThrows(UnsentException.class, () -> transport.send(new Outgoing(1, "{}", null)));

        // Then
        assertEquals("/no/such/program cannot be started: No such file or directory", failure.getMessage());
        assertInstanceOf(IOException.class, failure.getCause());
        var trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        assertFalse(trace.toString().contains("hidden-value"), trace.toString());
    }
}
