package dev.parley.tools.kind;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;

/** A kind of tools that are defined at run time. One instance serves all tools of its kind concurrently. */
public interface ToolKind extends AutoCloseable {

    /**
     * The name in definitions: {@code rest}, {@code mcp_server}, {@code java}, {@code javascript}, {@code python},
     * {@code wasm}.
     */
    String name();

    /**
     * The runner of a tool with this definition. It opens nothing before the first call.
     *
     * @param implementation the fields of the definition, such as {@code {"url": …}}
     * @param scope the host or project that has published it, whose powers it has
     * @throws IllegalArgumentException naming the field that is missing, invalid or unknown, or the power that the
     *     scope lacks
     */
    Runner runner(JsonNode implementation, CatalogueScope scope);

    /** The runner of a tool without any power. */
    default Runner runner(JsonNode implementation) {
        return runner(implementation, CatalogueScope.INSTALLATION);
    }

    /** Stops running and waiting calls. */
    @Override
    default void close() {}

    /** Executes the calls of one version of a tool, concurrently. */
    @FunctionalInterface
    interface Runner extends AutoCloseable {

        /** Runs a call, as {@link dev.parley.tools.Tool#run} does. */
        ToolOutput run(ToolCallContext call, JsonNode arguments) throws Exception;

        /** Releases the resources of this version. */
        @Override
        default void close() {}
    }
}
