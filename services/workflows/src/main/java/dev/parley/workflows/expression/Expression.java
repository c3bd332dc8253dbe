package dev.parley.workflows.expression;

import dev.parley.workflows.json.Json;

/** A compiled expression. */
public interface Expression {
    /**
     * Evaluates the expression.
     *
     * @throws ExpressionException if the evaluation fails or exceeds its limits
     */
    Json evaluate(Scope scope);
}
