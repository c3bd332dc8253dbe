package dev.parley.workflows.definition;

import dev.parley.workflows.expression.Template;
import org.jspecify.annotations.Nullable;

/**
 * Input, output or export of a workflow or task: its transformation and its schema.
 *
 * @param transform {@code from} or {@code as}; null for none
 * @param schema null for any value
 */
public record DataFlow(
        @Nullable Template transform, @Nullable Schema schema) {
    static final DataFlow AS_IT_IS = new DataFlow(null, null);
}
