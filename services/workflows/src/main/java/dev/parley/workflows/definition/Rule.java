package dev.parley.workflows.definition;

import dev.parley.workflows.expression.Expression;
import dev.parley.workflows.expression.Template;
import org.jspecify.annotations.Nullable;

/**
 * A predicate that has a name.
 *
 * @param predicate true or false over {@code .}, the data that the rule is asked about
 * @param message what is said where it is false; null says nothing
 * @param output what is given where it is true; null gives nothing
 */
public record Rule(
        String name,
        Expression predicate,
        @Nullable Template message,
        @Nullable Template output) {}
