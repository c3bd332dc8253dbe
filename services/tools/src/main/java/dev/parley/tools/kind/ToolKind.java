package dev.parley.tools.kind;

import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import tools.jackson.databind.JsonNode;

/** A kind of tools that operators define. One instance serves all tools of its kind at once. */
public interface ToolKind extends AutoCloseable {

    /** As definitions write it: {@code rest}, {@code mcp_server}, {@code java}, {@code javascript}, {@code python}, {@code wasm}. */
    String name();

    /**
     * What carries out a tool that is defined so. It opens nothing: that happens with the first call.
     *
     * @param implementation the fields of the definition, such as {@code {"url": …}}
     * @throws IllegalArgumentException naming the field that is missing, wrong or not known
     */
    Runner runner(JsonNode implementation);

    /** Ends what runs, and what waits to run. */
    @Override
    default void close() {}

    /** Carries out the calls of one version of a tool, many at once. */
    @FunctionalInterface
    interface Runner extends AutoCloseable {

        /** As {@link dev.parley.tools.Tool#run}. */
        ToolOutput run(ToolCallContext call, JsonNode arguments) throws Exception;

        /** Lets go of what this version alone needs. */
        @Override
        default void close() {}
    }
}
