package dev.parley.workflows.definition;

import dev.parley.workflows.expression.Template;
import org.jspecify.annotations.Nullable;

/**
 * What goes into a workflow or a task, comes out of it, or is exported: how it is made, and what it has to look like.
 *
 * @param transform {@code from} or {@code as}; null leaves it as it is
 * @param schema null allows everything
 */
public record DataFlow(
        @Nullable Template transform, @Nullable Schema schema) {
    static final DataFlow AS_IT_IS = new DataFlow(null, null);
}
