package dev.parley.workflows.definition;

import dev.parley.workflows.expression.Expression;
import dev.parley.workflows.expression.Template;
import org.jspecify.annotations.Nullable;

/**
 * A named predicate.
 *
 * @param predicate a condition on {@code .}, the data that the rule is evaluated on
 * @param message the message if it is false, or null
 * @param output the output if it is true, or null
 */
public record Rule(
        String name,
        Expression predicate,
        @Nullable Template message,
        @Nullable Template output) {}
