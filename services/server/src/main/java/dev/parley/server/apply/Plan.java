package dev.parley.server.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.parley.server.client.JsonEquality;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The steps that bring the definitions of a kind to their desired state.
 *
 * @param steps one for each definition, by label
 */
record Plan(List<Step> steps) {
    /** Fields that the server sets. */
    private static final Set<String> SET_BY_SERVER =
            Set.of("name", "source", "version", "updatedAt", "active", "schema");

    private static final int MAX_SHOWN = 60;

    /** The step for one definition. */
    sealed interface Step {
        String name();

        record Add(String name) implements Step {}

        record Change(String name, List<Difference> differences) implements Step {}

        record Keep(String name) implements Step {}

        record Remove(String name) implements Step {}

        /** The step as a line, with its sign. */
        default String line() {
            String sign = switch (this) {
                case Add _ -> "+ ";
                case Change _ -> "~ ";
                case Keep _ -> "= ";
                case Remove _ -> "- ";
            };
            return sign + name() + "\n";
        }
    }

    /** A field that changes; its values as JSON. */
    record Difference(String field, String before, String after) {}

    /**
     * Compares definitions.
     *
     * @param present those on the server, by label
     * @param desired those of the files, as the server would return them
     * @param prune whether definitions without a file are removed
     */
    static Plan of(Map<String, JsonNode> present, Map<String, JsonNode> desired, boolean prune) {
        var steps = new TreeMap<String, Step>();
        if (prune) {
            present.keySet().forEach(name -> steps.put(name, new Step.Remove(name)));
        }
        desired.forEach((name, definition) -> {
            JsonNode before = present.get(name);
            steps.put(
                    name,
                    before == null ? new Step.Add(name) : changeOrKeep(name, differences("", before, definition)));
        });
        return new Plan(List.copyOf(steps.values()));
    }

    private static Step changeOrKeep(String name, List<Difference> differences) {
        return differences.isEmpty() ? new Step.Keep(name) : new Step.Change(name, differences);
    }

    private static List<Difference> differences(String path, JsonNode before, JsonNode after) {
        var fields = new TreeMap<String, JsonNode>();
        before.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
        after.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
        if (path.isEmpty()) {
            fields.keySet().removeAll(SET_BY_SERVER);
        }
        var found = new ArrayList<Difference>();
        for (String field : fields.keySet()) {
            JsonNode oldValue = orNull(before.get(field));
            JsonNode newValue = orNull(after.get(field));
            if (oldValue.isObject() && newValue.isObject()) {
                found.addAll(differences(path + field + ".", oldValue, newValue));
            } else if (!JsonEquality.areEqual(oldValue, newValue)) {
                found.add(new Difference(path + field, clip(oldValue), clip(newValue)));
            }
        }
        return found;
    }

    private static JsonNode orNull(JsonNode value) {
        return value == null ? NullNode.getInstance() : value;
    }

    private static String clip(JsonNode value) {
        String text = value.toString();
        return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN - 1) + "…";
    }

    /** Whether the plan changes nothing. */
    boolean isEmpty() {
        return changes().isEmpty();
    }

    List<Step> changes() {
        return steps.stream().filter(step -> !(step instanceof Step.Keep)).toList();
    }

    /** The plan for display: a line for each step and each changed field. */
    String text() {
        var text = new StringBuilder();
        for (Step step : steps) {
            text.append(step.line());
            if (step instanceof Step.Change change) {
                change.differences()
                        .forEach(difference -> text.append("    %s: %s → %s%n"
                                .formatted(difference.field(), difference.before(), difference.after())));
            }
        }
        return text.toString();
    }
}
