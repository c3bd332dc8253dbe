package dev.parley.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.api.ApiAnswer;

/** The result of a tool call. */
sealed interface ToolResult {
    /** A result, as data and text. */
    record Structured(ObjectNode content) implements ToolResult {}

    /** A failure, with a message for the caller. */
    record Failed(String text) implements ToolResult {}

    /** The result for an API response. */
    static ToolResult of(ApiAnswer answer) {
        if (!answer.isDone()) {
            return new Failed(answer.problem());
        }
        if (answer.body().length == 0) {
            return new Structured(McpJson.object().put("accepted", true));
        }
        return answer.object()
                .<ToolResult>map(Structured::new)
                .orElseGet(() -> new Failed("The response of Parley's API is not a JSON object."));
    }

    /** The result in the form of the protocol. */
    default ObjectNode json() {
        ObjectNode json = McpJson.object();
        var content = json.putArray("content").addObject().put("type", "text");
        switch (this) {
            case Structured structured -> {
                content.put("text", structured.content().toString());
                json.set("structuredContent", structured.content());
            }
            case Failed failed -> {
                content.put("text", failed.text());
                json.put("isError", true);
            }
        }
        return json;
    }
}
