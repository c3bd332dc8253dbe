package dev.parley.workflows.expression;

import dev.parley.workflows.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** A JSON value that contains expressions. */
public sealed interface Template {
    /** A value without expressions. */
    record Fixed(Json value) implements Template {}

    /** An expression. */
    record Evaluated(Expression expression) implements Template {}

    /** An array that contains expressions. */
    record Items(List<Template> items) implements Template {}

    /** An object whose values contain expressions. */
    record Members(SequencedMap<String, Template> members) implements Template {}

    /**
     * The value with its expressions evaluated.
     *
     * @throws ExpressionException if an expression fails
     */
    default Json evaluate(Scope scope) {
        return switch (this) {
            case Fixed(Json value) -> value;
            case Evaluated(Expression expression) -> expression.evaluate(scope);
            case Items(List<Template> items) -> {
                var values = new ArrayList<Json>();
                items.forEach(item -> values.add(item.evaluate(scope)));
                yield Json.of(values);
            }
            case Members(SequencedMap<String, Template> members) -> {
                var values = new LinkedHashMap<String, Json>();
                members.forEach((name, member) -> values.put(name, member.evaluate(scope)));
                yield Json.of(values);
            }
        };
    }
}
