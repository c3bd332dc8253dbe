package dev.parley.workflows.definition;

import dev.parley.workflows.expression.Template;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** Reads event filters: {@code one}, {@code any} or {@code all}. */
final class EventsReader {
    private static final List<String> STRATEGIES = List.of("one", "any", "all");

    private final DefinitionReader definition;
    private final Set<String> variables;

    EventsReader(DefinitionReader definition, Set<String> variables) {
        this.definition = definition;
        this.variables = variables;
    }

    /** @param otherMembers further permitted members */
    TaskKind.Events events(DefinitionNode part, String... otherMembers) {
        part.isObject(
                Stream.concat(STRATEGIES.stream(), Arrays.stream(otherMembers)).toArray(String[]::new));
        List<String> found = STRATEGIES.stream().filter(part::has).toList();
        if (found.size() != 1) {
            part.addProblem("it has one of one, any, all");
            return new TaskKind.Events(TaskKind.Strategy.ANY, List.of());
        }
        String strategy = found.getFirst();
        var filters = new ArrayList<TaskKind.Filter>();
        DefinitionNode filterPart = part.get(strategy);
        for (DefinitionNode filter : strategy.equals("one") ? List.of(filterPart) : filterPart.items()) {
            filters.add(filter(filter));
        }
        if (strategy.equals("all")) {
            filterPart.isList();
        }
        return new TaskKind.Events(TaskKind.Strategy.valueOf(strategy.toUpperCase(Locale.ROOT)), filters);
    }

    private TaskKind.Filter filter(DefinitionNode filter) {
        filter.isObject("!with", "correlate");
        DefinitionNode with = filter.get("with");
        var attributes = new LinkedHashMap<String, Template>();
        with.names().forEach(name -> attributes.put(name, definition.template(with.get(name), variables)));
        DefinitionNode correlate = filter.get("correlate");
        var correlations = new LinkedHashMap<String, TaskKind.Correlation>();
        for (String name : correlate.names()) {
            DefinitionNode correlation = correlate.get(name);
            correlation.isObject("!from", "expect");
            correlations.put(
                    name,
                    new TaskKind.Correlation(
                            definition.expression(correlation.get("from"), variables),
                            correlation.has("expect")
                                    ? definition.template(correlation.get("expect"), variables)
                                    : null));
        }
        return new TaskKind.Filter(attributes, correlations);
    }
}
