package dev.parley.workflows.expression;

import dev.parley.workflows.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/** Expression language of a definition. */
public sealed interface ExpressionLanguage permits JqDialect, CelDialect {
    /**
     * Compiles an expression, with or without <code>${ }</code>.
     *
     * @param variables known variables, without {@code $}
     * @throws ExpressionException if it is invalid
     */
    Expression expression(String text, Set<String> variables);

    /**
     * Compiles an expression in which a bare word is a member of {@code .}, as in rules of Light-Fabric.
     *
     * @param variables known variables, without {@code $}
     * @throws ExpressionException if it is invalid
     */
    default Expression predicate(String text, Set<String> variables) {
        return expression(text, variables);
    }

    /**
     * Compiles a string that may contain expressions.
     *
     * @return empty if it contains none
     * @throws ExpressionException if an expression is invalid
     */
    Optional<Expression> in(String text, Set<String> variables);

    /**
     * Whether expressions are evaluated on the context of the process, to which {@code export.as} adds.
     * Otherwise they are evaluated on the task's input, and {@code export.as} replaces the context.
     */
    boolean evaluatesOnContext();

    /**
     * Compiles a value that may contain expressions.
     *
     * @throws ExpressionException if an expression is invalid
     */
    default Template template(Json value, Set<String> variables) {
        return switch (value) {
            case Json.Str(String text) ->
                in(text, variables).<Template>map(Template.Evaluated::new).orElseGet(() -> new Template.Fixed(value));
            case Json.Arr(List<Json> items) -> {
                var read = new ArrayList<Template>();
                items.forEach(item -> read.add(template(item, variables)));
                yield read.stream().allMatch(Template.Fixed.class::isInstance)
                        ? new Template.Fixed(value)
                        : new Template.Items(read);
            }
            case Json.Obj(SequencedMap<String, Json> members) -> {
                var read = new LinkedHashMap<String, Template>();
                members.forEach((name, member) -> read.put(name, template(member, variables)));
                yield read.values().stream().allMatch(Template.Fixed.class::isInstance)
                        ? new Template.Fixed(value)
                        : new Template.Members(read);
            }
            case Json.Null _, Json.Bool _, Json.Num _ -> new Template.Fixed(value);
        };
    }
}
