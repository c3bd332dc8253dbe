package dev.parley.mcp;

import dev.parley.platform.api.Api;
import dev.parley.platform.api.ApiRequest;
import java.util.UUID;

/**
 * A call of a tool.
 *
 * @param user the id of the caller
 * @param project the key of the project, unless the arguments name one
 */
record McpToolCall(McpArguments arguments, Api api, String user, String project, Progress progress) {
    static final String PROJECT = "project";
    static final String IDEMPOTENCY_KEY = "idempotency_key";

    /** The key of the project of this call. */
    String inProject() {
        return arguments.or(PROJECT, project);
    }

    /** The idempotency key: the caller's, or a new one. */
    String reference() {
        return arguments.or(IDEMPOTENCY_KEY, UUID.randomUUID().toString());
    }

    /** Sends a request, and returns the response as a result. */
    ToolResult result(ApiRequest request) throws InterruptedException {
        return ToolResult.of(api.send(request));
    }
}
