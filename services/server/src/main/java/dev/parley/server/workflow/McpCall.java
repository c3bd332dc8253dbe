package dev.parley.server.workflow;

import dev.parley.domain.ProcessRef;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.worker.Cancellation;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.mcp.McpKind;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import dev.parley.workflows.work.CallException;
import dev.parley.workflows.work.CallExecutor;
import dev.parley.workflows.work.CallExecutors;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * {@code call: mcp}: calls a tool of an MCP server, over the connections of agent tools. Its output is the MCP result.
 */
@Singleton
@Requires(property = "parley.role.workflows", value = "true", beans = McpKind.class)
final class McpCall implements CallExecutor {
    private static final String CALL = "tools/call";

    private final McpKind servers;

    McpCall(McpKind servers) {
        this.servers = servers;
    }

    @Override
    public String function() {
        return "mcp";
    }

    @Override
    public Optional<Json> call(WorkRequest request, Json with, Cancellation cancellation)
            throws CallException, InterruptedException {
        String method = with.get("method").display();
        if (!method.equals(CALL)) {
            throw CallException.configuration("the method '" + method + "' of MCP is not supported; " + CALL + " is");
        }
        Json parameters = with.get("parameters");
        Json implementation = Json.of("server", server(with.get("transport"))).with("tool", parameters.get("name"));
        Json arguments = parameters.get("arguments").isNull() ? Values.EMPTY_OBJECT : parameters.get("arguments");
        try {
            var result = servers.result(
                    JsonMappers.tree(implementation.toString()),
                    CallExecutors.scope(request),
                    JsonMappers.tree(arguments.toString()),
                    context(request, cancellation));
            return Optional.of(successful(JsonText.read(result.toString())));
        } catch (IllegalArgumentException e) {
            throw CallException.configuration(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw CallException.communication(String.valueOf(e.getMessage()), e);
        }
    }

    private static Json server(Json transport) throws CallException {
        Json http = transport.get("http");
        Json endpoint = http.get("endpoint");
        Json url = endpoint instanceof Json.Obj ? endpoint.get("uri") : endpoint;
        if (url.isNull()) {
            throw CallException.configuration("an MCP server is reached by 'transport.http.endpoint' here");
        }
        Json server = Json.of("url", url);
        return http.get("headers").isNull() ? server : server.with("headers", http.get("headers"));
    }

    /** A failed tool fails its task. */
    private static Json successful(Json result) throws CallException {
        if (result.get("isError").isTruthy()) {
            String error = result.get("content").list().stream()
                    .map(content -> content.get("text").text().orElse(""))
                    .reduce("", String::concat);
            throw CallException.communication("the tool failed: " + error);
        }
        return result;
    }

    /** The context of a call, for a tool. */
    static ToolCallContext context(WorkRequest request, Cancellation cancellation) {
        ProcessRef process = request.process();
        return new ToolCallContext(
                request.callId(),
                process.host(),
                process.key(),
                process.id(),
                process.id(),
                process.id(),
                0,
                request.attempt(),
                "workflow",
                request.user(),
                request.deadline(),
                List.of(),
                null,
                cancellation);
    }
}
