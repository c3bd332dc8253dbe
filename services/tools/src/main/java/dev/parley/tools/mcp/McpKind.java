package dev.parley.tools.mcp;

import dev.parley.platform.outbound.Outbound;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.kind.Fields;
import dev.parley.tools.kind.ToolKind;
import dev.parley.tools.mcp.McpWire.UnsentException;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tools of servers that speak the Model Context Protocol: {@code {"server": {"url": …}, "tool": "search"}}. A server has one
 * connection for each project, which all of its tools share.
 */
public final class McpKind implements ToolKind {
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final int LONGEST_DESCRIPTION = 4_000;

    private final Outbound outbound;
    private final McpConnections connections;

    /** @param meters where to say how servers are, or null */
    public McpKind(Outbound outbound, @Nullable MeterRegistry meters) {
        this.outbound = outbound;
        this.connections = new McpConnections(outbound);
        if (meters != null) {
            connections.measure(meters);
        }
    }

    @Override
    public String name() {
        return "mcp_server";
    }

    @Override
    public Runner runner(JsonNode implementation) {
        Fields fields = Fields.of(implementation, "server", "tool");
        McpServer server = McpServer.of(fields, outbound.stdio());
        String tool = fields.text("tool");
        return (call, arguments) -> {
            var values = JSON.convertValue(arguments, new TypeReference<Map<String, Object>>() {});
            try {
                return connections.use(
                        call.host(), call.project(), server, connection -> connection.call(tool, values, call));
            } catch (UnsentException e) {
                return new ToolOutput.Failed(String.valueOf(e.getMessage()));
            }
        };
    }

    /**
     * What a tool of a server gives, as MCP has it: {@code content}, {@code structuredContent}, {@code isError}.
     *
     * @param implementation {@code {"server": …, "tool": …}}
     * @throws IllegalArgumentException naming the field that is wrong
     * @throws IOException saying why the server gives nothing
     */
    public JsonNode result(JsonNode implementation, JsonNode arguments, ToolCallContext call)
            throws IOException, InterruptedException {
        Fields fields = Fields.of(implementation, "server", "tool");
        McpServer server = McpServer.of(fields, outbound.stdio());
        String tool = fields.text("tool");
        var values = JSON.convertValue(arguments, new TypeReference<Map<String, Object>>() {});
        return McpContents.json(connections.use(
                call.host(), call.project(), server, connection -> connection.result(tool, values, call)));
    }

    /** A tool as its server describes it. */
    public record Listed(String name, String description, JsonNode inputSchema) {}

    /**
     * The tools of a server, at most a thousand, so that they can be defined here.
     *
     * @param project of this host, whose connection it is; no two share one
     * @param implementation {@code {"server": …}}
     * @throws IllegalArgumentException naming the field that is wrong
     * @throws IOException saying why the server does not tell
     */
    public List<Listed> tools(UUID host, UUID project, JsonNode implementation, Instant deadline)
            throws IOException, InterruptedException {
        McpServer server = McpServer.of(Fields.of(implementation, "server"), outbound.stdio());
        return connections.use(
                host,
                project,
                server,
                connection -> connection.tools(deadline).stream()
                        .map(tool -> new Listed(
                                tool.name(), description(tool.description()), JSON.valueToTree(tool.inputSchema())))
                        .toList());
    }

    private static String description(@Nullable String text) {
        return text == null ? "" : text.substring(0, Math.min(text.length(), LONGEST_DESCRIPTION));
    }

    @Override
    public void close() {
        connections.close();
    }
}
