package dev.parley.server.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What is to be done so that definitions of a kind are as they are wanted, by label.
 *
 * @param steps one for each of them
 */
record Plan(List<Step> steps) {
    /** What the server says, and nobody defines. */
    private static final Set<String> SAID = Set.of("name", "source", "version", "updatedAt", "active", "schema");

    /** Databases write numbers in other ways. */
    private static final Comparator<JsonNode> NUMBERS = (one, other) -> one.equals(other)
                    || one.isNumber() && other.isNumber() && one.decimalValue().compareTo(other.decimalValue()) == 0
            ? 0
            : 1;

    private static final int SHOWN = 60;

    /** What becomes of one. */
    sealed interface Step {
        String name();

        /** It is not there. */
        record Add(String name) implements Step {}

        /** It is otherwise. */
        record Change(String name, List<Difference> differences) implements Step {}

        /** It is as it is wanted. */
        record Keep(String name) implements Step {}

        /** Nobody wants it any more. */
        record Remove(String name) implements Step {}
    }

    /** A field that changes; its values as JSON. */
    record Difference(String field, String before, String after) {}

    /**
     * Compares.
     *
     * @param present what there is as the server shows it, by label
     * @param wanted the same, as the server would show them
     * @param prune whether what is not wanted is removed
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
            fields.keySet().removeAll(SAID);
        }
        var found = new ArrayList<Difference>();
        for (String field : fields.keySet()) {
            JsonNode one = orNull(before.get(field));
            JsonNode other = orNull(after.get(field));
            if (one.isObject() && other.isObject()) {
                found.addAll(differences(path + field + ".", one, other));
            } else if (!one.equals(NUMBERS, other)) {
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
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN - 1) + "…";
    }

    /** Whether there is nothing to do. */
    boolean isDone() {
        return steps.stream().allMatch(step -> step instanceof Step.Keep);
    }

    /** For people, a line for each and for each of its fields. */
    String text() {
        var text = new StringBuilder();
        for (Step step : steps) {
            switch (step) {
                case Step.Add add -> text.append("+ ").append(add.name()).append('\n');
                case Step.Keep keep -> text.append("= ").append(keep.name()).append('\n');
                case Step.Remove remove ->
                    text.append("- ").append(remove.name()).append('\n');
                case Step.Change change -> {
                    text.append("~ ").append(change.name()).append('\n');
                    change.differences()
                            .forEach(one ->
                                    text.append("    %s: %s → %s%n".formatted(one.field(), one.before(), one.after())));
                }
            }
        }
        return text.toString();
    }
}
