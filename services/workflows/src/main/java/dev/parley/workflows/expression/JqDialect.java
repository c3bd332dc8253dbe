package dev.parley.workflows.expression;

import dev.parley.workflows.jq.Jq;
import dev.parley.workflows.jq.JqException;
import dev.parley.workflows.jq.JqLimitException;
import dev.parley.workflows.jq.JqSyntaxException;
import dev.parley.workflows.json.Json;
import java.util.HashMap;
import java.util.Optional;
import java.util.Set;

/**
 * The specification's dialect: a string is an expression if it is enclosed in <code>${ }</code>.
 *
 * @param loose every string is tried as an expression, and kept as text if it is not valid jq
 */
public record JqDialect(boolean loose) implements ExpressionLanguage {
    @Override
    public boolean evaluatesOnContext() {
        return false;
    }

    @Override
    public Expression expression(String text, Set<String> variables) {
        String inner = inner(text).orElse(text);
        try {
            Jq jq = Jq.compile(inner, variables);
            return scope -> evaluate(jq, scope);
        } catch (JqSyntaxException e) {
            throw new ExpressionException("'" + inner.strip() + "' is not valid jq: " + e.getMessage());
        }
    }

    private static Json evaluate(Jq jq, Scope scope) {
        var variables = new HashMap<String, Json>();
        jq.variables().forEach(name -> variables.put(name, scope.variable(name)));
        try {
            return jq.first(scope.data(), variables, Jq.Limits.STANDARD);
        } catch (JqException | JqLimitException e) {
            throw new ExpressionException("'" + jq.toString().strip() + "' failed: " + e.getMessage());
        }
    }

    private static Optional<String> inner(String text) {
        String bare = text.strip();
        return bare.startsWith("${") && bare.endsWith("}")
                ? Optional.of(bare.substring(2, bare.length() - 1))
                : Optional.empty();
    }

    @Override
    public Optional<Expression> in(String text, Set<String> variables) {
        if (inner(text).isPresent()) {
            return Optional.of(expression(text, variables));
        }
        if (!loose) {
            return Optional.empty();
        }
        try {
            Expression tried = expression(text, variables);
            return Optional.of(scope -> {
                try {
                    return tried.evaluate(scope);
                } catch (ExpressionException e) {
                    return Json.of(text);
                }
            });
        } catch (ExpressionException e) {
            return Optional.empty();
        }
    }
}
