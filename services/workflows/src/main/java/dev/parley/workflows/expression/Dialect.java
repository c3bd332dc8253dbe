package dev.parley.workflows.expression;

import dev.parley.workflows.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/** Expression language of a definition. */
public sealed interface Dialect permits JqDialect, CelDialect {
    /**
     * Reads an expression, whether or not it stands in <code>${ }</code>.
     *
     * @param variables that there are, without {@code $}
     * @throws ExpressionException when it cannot be read
     */
    Expression expression(String text, Set<String> variables);

    /**
     * Reads an expression in which a bare word is a member of what {@code .} is, as in rules of Light-Fabric.
     *
     * @param variables that there are, without {@code $}
     * @throws ExpressionException when it cannot be read
     */
    default Expression predicate(String text, Set<String> variables) {
        return expression(text, variables);
    }

    /**
     * Reads a string in which expressions may stand.
     *
     * @return empty where there is none in it
     * @throws ExpressionException when one cannot be read
     */
    Optional<Expression> in(String text, Set<String> variables);

    /**
     * Whether expressions look at the context of the process, and {@code export.as} adds to it. Otherwise they look at the task's input, and it
     * is replaced.
     */
    boolean looksAtContext();

    /**
     * Reads a value in which expressions may stand.
     *
     * @throws ExpressionException when one cannot be read
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
            default -> new Template.Fixed(value);
        };
    }
}
