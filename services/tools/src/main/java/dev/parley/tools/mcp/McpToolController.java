package dev.parley.tools.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.platform.clock.Deadline;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.schema.OlderDrafts;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lists the tools of MCP servers, so that they can be defined. */
@Controller("/v1/projects/{project}/mcp-tools")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.tools", value = "true", beans = McpKind.class)
@Tag(name = "Tools")
class McpToolController {
    private static final int MAX_TOOLS = 200;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final McpKind servers;

    McpToolController(McpKind servers) {
        this.servers = servers;
    }

    /**
     * MCP (Model Context Protocol) server.
     *
     * @param server Connection of the server: url, and optionally headers and auth.
     */
    @Serdeable
    @Schema(name = "McpServer")
    record ServerJson(@Nullable Map<String, Object> server) {}

    /**
     * List the tools of an MCP server. At most 200 tools, each in the form that POST …/tools accepts. Listing does not
     * define them.
     *
     * @return The tools of the server.
     */
    @Post
    @RequiresCapability(Capability.AGENT_MANAGE)
    @Operation(operationId = "listMcpTools")
    @ApiResponse(responseCode = "502", description = "The server is unreachable or its response is invalid.")
    List<Map<String, Object>> list(@PathVariable String project, @Body ServerJson body, Caller caller)
            throws InterruptedException {
        Project target = caller.require(Capability.AGENT_MANAGE, project);
        Map<String, Object> server = body.server();
        if (server == null || server.containsKey("command") || hasSecret(server)) {
            throw ApiException.badRequest(
                    "invalid_field",
                    "The field 'server' must have a url, and neither a command nor secrets of the installation");
        }
        try {
            JsonNode implementation = JsonMappers.shared().valueToTree(Map.of("server", server));
            List<McpKind.Listed> tools =
                    servers.tools(caller.host(), target.project(), implementation, Deadline.in(TIMEOUT));
            Map<String, String> names =
                    ToolNames.distinct(tools.stream().map(McpKind.Listed::name).toList());
            return tools.stream()
                    .limit(MAX_TOOLS)
                    .map(tool -> definition(String.valueOf(names.get(tool.name())), tool, server))
                    .toList();
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest("invalid_field", String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new ApiException(HttpStatus.BAD_GATEWAY, "mcp_server", String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean hasSecret(Map<String, Object> server) {
        return server.get("auth") instanceof Map<?, ?> auth && auth.get("secret") != null;
    }

    private static Map<String, Object> definition(String name, McpKind.Listed tool, Map<String, Object> server) {
        var definition = new LinkedHashMap<String, Object>();
        definition.put("name", name);
        String text = tool.description().isBlank() ? tool.name() : tool.description();
        definition.put("description", text.substring(0, Math.min(text.length(), 1_024)));
        definition.put("type", "mcp_server");
        JsonNode schema = OlderDrafts.current(tool.inputSchema());
        definition.put("parametersSchema", JsonMappers.shared().convertValue(schema, Map.class));
        definition.put("implementation", Map.of("server", server, "tool", tool.name()));
        return definition;
    }
}
