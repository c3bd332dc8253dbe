package dev.parley.tools.mcp;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.clock.Deadline;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.outbound.Outbound;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.Power.Kind;
import dev.parley.platform.power.PowerGrants;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.kind.DefinitionFields;
import dev.parley.tools.kind.ToolKind;
import dev.parley.tools.mcp.McpTransport.UnsentException;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The tools of MCP (Model Context Protocol) servers: {@code {"server": {"url": …}, "tool": "search"}}. A server has one
 * connection per project, which all its tools share.
 */
public final class McpKind implements ToolKind {
    private static final ObjectMapper JSON = JsonMappers.shared();
    private static final int MAX_DESCRIPTION = 4_000;

    private final PowerGrants powers;
    private final McpConnections connections;

    /** @param meters the registry of the metrics, or null */
    public McpKind(Outbound outbound, PowerGrants powers, @Nullable MeterRegistry meters) {
        this.powers = powers;
        this.connections = new McpConnections(outbound);
        if (meters != null) {
            connections.measure(meters);
        }
    }

    @Override
    public String name() {
        return "mcp_server";
    }

    /** A tool of a server. */
    private record Target(McpServerAddress server, String tool) {}

    private Target target(JsonNode implementation, CatalogueScope scope) {
        DefinitionFields fields = DefinitionFields.of(implementation, "server", "tool");
        return new Target(server(fields, scope), fields.text("tool"));
    }

    private McpServerAddress server(DefinitionFields fields, CatalogueScope scope) {
        return McpServerAddress.of(fields, powers.refusal(Power.of(Kind.PROGRAMS), scope));
    }

    private static Map<String, Object> values(JsonNode arguments) {
        return JSON.convertValue(arguments, new TypeReference<Map<String, Object>>() {});
    }

    @Override
    public Runner runner(JsonNode implementation, CatalogueScope scope) {
        Target target = target(implementation, scope);
        return (call, arguments) -> {
            var values = values(arguments);
            try {
                return connections.use(
                        call.host(),
                        call.project(),
                        scope,
                        target.server(),
                        connection -> connection.call(target.tool(), values, call));
            } catch (UnsentException e) {
                return new ToolOutput.Failed(String.valueOf(e.getMessage()));
            }
        };
    }

    /**
     * The result of a tool in the form of MCP: {@code content}, {@code structuredContent}, {@code isError}.
     *
     * @param implementation {@code {"server": …, "tool": …}}
     * @param scope the host or project that wants it, whose powers it has
     * @throws IllegalArgumentException naming the invalid field
     * @throws IOException with the reason why there is no result
     */
    public JsonNode result(JsonNode implementation, CatalogueScope scope, JsonNode arguments, ToolCallContext call)
            throws IOException, InterruptedException {
        Target target = target(implementation, scope);
        var values = values(arguments);
        return McpContents.json(connections.use(
                call.host(), call.project(), scope, target.server(), c -> c.result(target.tool(), values, call)));
    }

    /** A tool as its server describes it. */
    public record Listed(String name, String description, JsonNode inputSchema) {}

    /**
     * The tools of a server, at most a thousand, so that they can be defined here.
     *
     * @param project the project whose connection is used
     * @param implementation {@code {"server": …}}
     * @throws IllegalArgumentException naming the invalid field
     * @throws IOException with the reason why they cannot be listed
     */
    public List<Listed> tools(UUID host, UUID project, JsonNode implementation, Deadline deadline)
            throws IOException, InterruptedException {
        var scope = new CatalogueScope(host, project);
        return connections.use(
                host,
                project,
                scope,
                server(DefinitionFields.of(implementation, "server"), scope),
                connection -> connection.tools(deadline).stream()
                        .map(tool -> new Listed(
                                tool.name(), description(tool.description()), JSON.valueToTree(tool.inputSchema())))
                        .toList());
    }

    private static String description(@Nullable String text) {
        return text == null ? "" : text.substring(0, Math.min(text.length(), MAX_DESCRIPTION));
    }

    @Override
    public void close() {
        connections.close();
    }
}
