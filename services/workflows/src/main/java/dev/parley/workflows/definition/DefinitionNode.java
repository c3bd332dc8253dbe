package dev.parley.workflows.definition;

import dev.parley.platform.config.NearNames;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonPointer;
import dev.parley.workflows.json.Values;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** A node of a definition while it is read; problems are collected, not thrown. */
final class DefinitionNode {
    private final YamlText text;
    private final List<DefinitionProblem> problems;
    private final String pointer;
    private final Json value;

    private DefinitionNode(YamlText text, List<DefinitionProblem> problems, String pointer, Json value) {
        this.text = text;
        this.problems = problems;
        this.pointer = pointer;
        this.value = value;
    }

    static DefinitionNode root(YamlText text, List<DefinitionProblem> problems) {
        return new DefinitionNode(text, problems, "", text.value());
    }

    Json value() {
        return value;
    }

    String pointer() {
        return pointer;
    }

    boolean isThere() {
        return !value.isNull();
    }

    /** The member with this name, which may be absent. */
    DefinitionNode get(String name) {
        return new DefinitionNode(text, problems, JsonPointer.child(pointer, name), value.get(name));
    }

    boolean has(String name) {
        return value.map().containsKey(name);
    }

    List<DefinitionNode> items() {
        var items = new ArrayList<DefinitionNode>();
        for (Json item : value.list()) {
            items.add(
                    new DefinitionNode(text, problems, JsonPointer.child(pointer, String.valueOf(items.size())), item));
        }
        return items;
    }

    List<String> names() {
        return List.copyOf(value.map().keySet());
    }

    /** This part with another value. */
    DefinitionNode as(Json other) {
        return new DefinitionNode(text, problems, pointer, other);
    }

    /** This part without a member. */
    DefinitionNode without(String name) {
        var remaining = new LinkedHashMap<>(value.map());
        remaining.remove(name);
        return as(Json.of(remaining));
    }

    void addProblem(String detail) {
        problems.add(text.problem(pointer, detail));
    }

    DefinitionProblem warning(String detail) {
        return text.problem(pointer, detail);
    }

    private String name() {
        return JsonPointer.name(pointer);
    }

    /**
     * Checks that the part is an object with these members only; required ones begin with {@code !}. Adds the problems.
     */
    boolean isObject(String... members) {
        if (!(value instanceof Json.Obj)) {
            addProblem(isThere() ? subject() + " has members, not " + value.type() : subject() + " is missing");
            return false;
        }
        List<String> allowed =
                Arrays.stream(members).map(name -> name.replace("!", "")).toList();
        for (String name : names()) {
            if (!allowed.contains(name)) {
                get(name).addProblem("'" + name + "' is not known here" + instead(name, allowed));
            }
        }
        boolean complete = true;
        for (String member : members) {
            if (member.startsWith("!") && !has(member.substring(1))) {
                addProblem(subject() + " needs '" + member.substring(1) + "'");
                complete = false;
            }
        }
        return complete;
    }

    /** This part, whose members are checked if it is present. */
    DefinitionNode checkMembers(String... members) {
        if (isThere()) {
            isObject(members);
        }
        return this;
    }

    private String subject() {
        return pointer.isEmpty() ? "a definition" : "'" + name() + "'";
    }

    static String instead(String name, List<String> candidates) {
        return NearNames.of(name, candidates)
                .map(similar -> "; did you mean '" + similar + "'?")
                .orElseGet(() -> candidates.isEmpty() ? "" : "; known are " + String.join(", ", candidates));
    }

    /** The text; for other values, adds a problem and returns an empty text. */
    String text() {
        Optional<String> found = value.text();
        if (found.isEmpty()) {
            addProblem(
                    isThere()
                            ? subject() + " is a text" + (value instanceof Json.Num ? "; put quotes around it" : "")
                            : subject() + " is missing");
        }
        return found.orElse("");
    }

    Optional<String> optionalText() {
        return isThere() ? Optional.of(text()) : Optional.empty();
    }

    /** One of the allowed texts; adds a problem for any other. */
    String oneOf(String defaultValue, String... allowed) {
        if (!isThere()) {
            return defaultValue;
        }
        String found = text();
        if (!List.of(allowed).contains(found)) {
            addProblem(subject() + " is one of " + String.join(", ", allowed) + ", not '" + value.display() + "'");
            return defaultValue;
        }
        return found;
    }

    boolean isTrue(boolean defaultValue) {
        if (!isThere()) {
            return defaultValue;
        }
        if (value instanceof Json.Bool(boolean flag)) {
            return flag;
        }
        addProblem(subject() + " is true or false");
        return defaultValue;
    }

    int count(int defaultValue, int limit) {
        if (!isThere()) {
            return defaultValue;
        }
        if (value instanceof Json.Num(BigDecimal number)
                && number.signum() >= 0
                && number.compareTo(BigDecimal.valueOf(limit)) <= 0
                && number.stripTrailingZeros().scale() <= 0) {
            return number.intValue();
        }
        addProblem(subject() + " is a whole number from 0 to " + limit);
        return defaultValue;
    }

    /** Checks that the part is a non-empty list; adds a problem otherwise. */
    boolean isList() {
        if (value.list().isEmpty()) {
            addProblem(isThere() ? subject() + " is a list with at least one item" : subject() + " is missing");
            return false;
        }
        return true;
    }

    /** This part if it is an object, else an object with it as this member. */
    DefinitionNode wrapAs(String member) {
        return value instanceof Json.Obj || value.equals(Values.NULL)
                ? this
                : new DefinitionNode(text, problems, pointer, Json.of(member, value));
    }
}
