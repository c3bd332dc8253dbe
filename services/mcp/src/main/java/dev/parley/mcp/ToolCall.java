package dev.parley.mcp;

import dev.parley.platform.api.Api;
import dev.parley.platform.api.ApiRequest;
import java.util.UUID;

/**
 * A call of a tool.
 *
 * @param user the id of who calls
 * @param project the key of the project that it is about, where the arguments name none
 */
record ToolCall(Arguments arguments, Api api, String user, String project, Progress progress) {
    static final String PROJECT = "project";
    static final String IDEMPOTENCY_KEY = "idempotency_key";

    /** The key of the project that it is about. */
    String inProject() {
        return arguments.or(PROJECT, project);
    }

    /** The name of a change: as the caller says, or a new one. */
    String reference() {
        return arguments.or(IDEMPOTENCY_KEY, UUID.randomUUID().toString());
    }

    /** Asks the API, and gives what it answers. */
    ToolResult result(ApiRequest request) throws InterruptedException {
        return ToolResult.of(api.send(request));
    }
}
