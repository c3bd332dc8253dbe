package dev.parley.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.api.ApiRequest;
import java.util.List;
import java.util.Set;

/**
 * A tool.
 *
 * @param description for models: what it gives, and when to use it
 * @param roles of the processes that answer the requests which it makes
 * @param input the schema of its arguments
 * @param output the schema of its result
 * @param action what it does
 */
record Tool(
        String name,
        String title,
        String description,
        Set<String> roles,
        Effect effect,
        ObjectSchema input,
        ObjectSchema output,
        Action action) {

    private static final Set<String> ANSWERS = Set.of("answer_approval", "complete_task");

    /** What a call changes; clients ask people by it. */
    enum Effect {
        /** Nothing. */
        READS,
        /** It adds something; done twice with one key it is done once. */
        ADDS,
        /** It has others do something: an agent, a workflow, whoever waits for an event. */
        ACTS,
        /** It ends something that goes on. */
        ENDS
    }

    /** What a tool does. */
    @FunctionalInterface
    interface Action {
        ToolResult run(ToolCall call) throws InterruptedException;
    }

    /** The request to the API that a call is. */
    @FunctionalInterface
    interface Mapping {
        ApiRequest of(ToolCall call);
    }

    /** An action that is one request. */
    static Action request(Mapping mapping) {
        return call -> call.result(mapping.of(call));
    }

    /** Whether it answers what people are asked, in the name of whoever the key is of. */
    boolean answers() {
        return ANSWERS.contains(name);
    }

    /** As the protocol lists it. */
    ObjectNode json() {
        ObjectNode json = Json.object().put("name", name).put("title", title).put("description", description);
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
    static List<Tool> all() {
        return java.util.stream.Stream.of(SessionTools.all(), MemoryTools.all(), WorkflowTools.all())
                .flatMap(List::stream)
                .toList();
    }
}
