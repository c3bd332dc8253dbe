package dev.parley.domain.definition;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A tool defined at runtime, with its implementation. Several versions can coexist.
 *
 * @param spec the tool as models and the turn machine see it
 * @param type kind of implementation, such as {@code rest}
 * @param implementation a JSON object whose fields depend on the type
 * @param responseSchema JSON Schema that results must match, or null for any result
 * @param endpoint name of the host's endpoint that the tool calls, or null; if the endpoint does not exist, the tool
 *     cannot be used
 */
public record DefinedTool(
        ToolSpec spec,
        String type,
        String implementation,
        @Nullable String responseSchema,
        @Nullable String endpoint) implements Definition {
    public DefinedTool {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(implementation, "implementation");
        if (spec.version().isEmpty()) {
            throw new IllegalArgumentException("a defined tool has a version");
        }
    }

    @Override
    public String name() {
        return spec.name();
    }
}
