package dev.parley.workflows.expression;

import dev.parley.workflows.json.Json;

/** A compiled expression. */
public interface Expression {
    /**
     * Its value.
     *
     * @throws ExpressionException when it fails, or takes more than it may
     */
    Json evaluate(Scope scope);
}
