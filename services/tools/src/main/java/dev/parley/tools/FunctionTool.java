package dev.parley.tools;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.definition.ToolSpec;

/** A tool made of its specification and a function. */
public record FunctionTool(ToolSpec spec, Run function) implements Tool {

    /** The function of a tool. */
    @FunctionalInterface
    public interface Run {
        ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException {
        return function.run(call, arguments);
    }
}
