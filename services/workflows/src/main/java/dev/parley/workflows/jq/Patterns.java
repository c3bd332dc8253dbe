package dev.parley.workflows.jq;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Variable names bound by destructuring patterns. */
final class Patterns {
    private Patterns() {}

    static Set<String> names(List<Filter.Pattern> patterns) {
        var names = new LinkedHashSet<String>();
        patterns.forEach(pattern -> collect(pattern, names));
        return names;
    }

    private static void collect(Filter.Pattern pattern, Set<String> names) {
        switch (pattern) {
            case Filter.Pattern.Name(String name) -> names.add(name);
            case Filter.Pattern.Items(List<Filter.Pattern> items) -> items.forEach(item -> collect(item, names));
            case Filter.Pattern.Members(List<Filter.Pattern.Part> parts) ->
                parts.forEach(part -> {
                    if (part.variable() != null) {
                        names.add(part.variable());
                    }
                    if (part.value() != null) {
                        collect(part.value(), names);
                    }
                });
        }
    }
}
