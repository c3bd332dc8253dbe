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
 * The steps that bring the definitions of a kind to their wanted state.
 *
 * @param steps one for each definition, by label
 */
record Plan(List<Step> steps) {
    /** Fields that the server sets. */
    private static final Set<String> SET_BY_SERVER =
            Set.of("name", "source", "version", "updatedAt", "active", "schema");

    private static final int MAX_SHOWN = 60;

    /** What happens to one definition. */
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
     * @param wanted those of the files, as the server would return them
     * @param prune whether definitions without a file are removed
     */
    static Plan of(Map<String, JsonNode> present, Map<String, JsonNode> wanted, boolean prune) {
        var steps = new TreeMap<String, Step>();
        if (prune) {
            present.keySet().forEach(name -> steps.put(name, new Step.Remove(name)));
        }
        wanted.forEach((name, agent) -> {
            JsonNode before = present.get(name);
            steps.put(name, before == null ? new Step.Add(name) : changed(name, differences("", before, agent)));
        });
        return new Plan(List.copyOf(steps.values()));
    }

    private static Step changed(String name, List<Difference> differences) {
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
            JsonNode one = orNull(before.get(field));
            JsonNode other = orNull(after.get(field));
            if (one.isObject() && other.isObject()) {
                found.addAll(differences(path + field + ".", one, other));
            } else if (!JsonEquality.areEqual(one, other)) {
                found.add(new Difference(path + field, shown(one), shown(other)));
            }
        }
        return found;
    }

    private static JsonNode orNull(JsonNode value) {
        return value == null ? NullNode.getInstance() : value;
    }

    private static String shown(JsonNode value) {
        String text = value.toString();
        return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN - 1) + "…";
    }

    /** Whether nothing changes. */
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
                        .forEach(one ->
                                text.append("    %s: %s → %s%n".formatted(one.field(), one.before(), one.after())));
            }
        }
        return text.toString();
    }
}
