package dev.parley.domain.definition;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A tool that somebody defined while everything runs, with what carries it out. Several versions of one may stand side by side.
 *
 * @param spec what models and the turn machine see of it
 * @param type what carries it out, such as {@code rest}
 * @param implementation a JSON object, whose fields are the type's own
 * @param responseSchema JSON Schema that a result has to keep to, or null for any result
 * @param endpoint of the host that it uses, by its name, or null; without that the tool cannot be used
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
