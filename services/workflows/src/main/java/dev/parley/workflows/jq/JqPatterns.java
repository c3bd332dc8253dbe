package dev.parley.workflows.jq;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Variable names bound by destructuring patterns. */
final class JqPatterns {
    private JqPatterns() {}

    static Set<String> names(List<JqFilter.Pattern> patterns) {
        var names = new LinkedHashSet<String>();
        patterns.forEach(pattern -> collect(pattern, names));
        return names;
    }

    private static void collect(JqFilter.Pattern pattern, Set<String> names) {
        switch (pattern) {
            case JqFilter.Pattern.Name(String name) -> names.add(name);
            case JqFilter.Pattern.Items(List<JqFilter.Pattern> items) -> items.forEach(item -> collect(item, names));
            case JqFilter.Pattern.Members(List<JqFilter.Pattern.Part> parts) ->
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
