package dev.parley.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.api.ApiRequest;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * An MCP tool.
 *
 * @param description for models: its result and its use
 * @param roles that serve its API requests
 * @param input the schema of its arguments
 * @param output the schema of its result
 * @param action executes a call
 */
record McpTool(
        String name,
        String title,
        String description,
        Set<String> roles,
        Effect effect,
        ObjectSchema input,
        ObjectSchema output,
        Action action) {

    private static final Set<String> ANSWERS = Set.of("answer_approval", "complete_task");

    /** The effect of a call, by which clients ask for confirmation. */
    enum Effect {
        /** Only reads. */
        READS,
        /** Adds data; idempotent by its key. */
        ADDS,
        /** Triggers an agent, a workflow or an event. */
        ACTS,
        /** Ends a running turn or process. */
        ENDS
    }

    /** Executes a call. */
    @FunctionalInterface
    interface Action {
        ToolResult run(McpToolCall call) throws InterruptedException;
    }

    /** Maps a call to an API request. */
    @FunctionalInterface
    interface Mapping {
        ApiRequest of(McpToolCall call);
    }

    /** An action of one API request. */
    static Action request(Mapping mapping) {
        return call -> call.result(mapping.of(call));
    }

    /** Whether the tool answers approvals or tasks in the name of the key's user. */
    boolean answers() {
        return ANSWERS.contains(name);
    }

    /** The tool as the protocol lists it. */
    ObjectNode json() {
        ObjectNode json = McpJson.object().put("name", name).put("title", title).put("description", description);
        json.set("inputSchema", input.json());
        json.set("outputSchema", output.json());
        json.putObject("annotations")
                .put("title", title)
                .put("readOnlyHint", effect == Effect.READS)
                .put("destructiveHint", effect == Effect.ENDS)
                .put("idempotentHint", effect != Effect.ACTS)
                .put("openWorldHint", effect == Effect.ACTS);
        return json;
    }

    /** All tools, in their order. */
    static List<McpTool> all() {
        return Stream.of(SessionTools.all(), BankTools.all(), WorkflowTools.all())
                .flatMap(List::stream)
                .toList();
    }
}
