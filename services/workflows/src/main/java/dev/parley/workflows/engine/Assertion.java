package dev.parley.workflows.engine;

import com.google.re2j.Pattern;
import dev.parley.platform.regex.Regex;
import dev.parley.workflows.definition.Schema;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The checks of an {@code assert} task. */
final class Assertion {
    private static final Set<String> COMPARISONS = Set.of("exists", "equals", "hasLength", "gt", "gte", "lt", "lte");

    private Assertion() {}

    /**
     * Checks a value.
     *
     * @param checks required properties of the value
     * @param rule result of a rule that must hold, too; null for none
     * @return {@code {"passed": true, "value": …}}
     */
    static Json check(Json checks, Json value, @Nullable RuleAnswer rule, String pointer) {
        var failures = new ArrayList<String>();
        for (var check : checks.map().entrySet()) {
            if (!holds(check.getKey(), check.getValue(), value, pointer)) {
                failures.add(check.getKey() + " " + ProcessMachine.brief(check.getValue()));
            }
        }
        var problems = new ArrayList<String>();
        if (!failures.isEmpty()) {
            problems.add(ProcessMachine.brief(value) + " is not " + String.join(", not ", failures));
        }
        Json message = checks.get("message");
        if (rule != null && !rule.passed()) {
            problems.add("the rule '" + rule.rule() + "' does not hold for " + ProcessMachine.brief(rule.input()));
            message = message.isNull() ? rule.message() : message;
        }
        if (!problems.isEmpty()) {
            String first = message.isNull() ? "the assertion does not hold" : message.display();
            throw new TaskFailure(Standard.VALIDATION.error(first + ": " + String.join("; ", problems), pointer));
        }
        return Json.of("passed", Values.TRUE).with("value", value);
    }

    private static boolean holds(String check, Json expected, Json value, String pointer) {
        return switch (check) {
            case "equals" -> value.equals(expected);
            case "contains" ->
                value instanceof Json.Arr(List<Json> items)
                        ? items.contains(expected)
                        : value instanceof Json.Obj
                                ? value.map().containsKey(expected.display())
                                : value.display().contains(expected.display());
            case "matches" -> matches(expected.display(), value.display(), pointer);
            case "exists" -> value.isNull() != expected.isTruthy();
            case "schema" -> fits(expected, value, pointer);
            case "json" ->
                expected.map().entrySet().stream().allMatch(path -> has(value, path.getKey(), path.getValue()));
            default -> true;
        };
    }

    private static boolean matches(String regex, String text, String pointer) {
        try {
            Pattern pattern = Regex.compile(regex, false);
            return pattern.matcher(text).find();
        } catch (IllegalArgumentException e) {
            throw new TaskFailure(Standard.EXPRESSION.error(String.valueOf(e.getMessage()), pointer));
        }
    }

    private static boolean fits(Json schema, Json value, String pointer) {
        try {
            return Schema.of(schema).errors(value).isEmpty();
        } catch (IllegalArgumentException e) {
            throw new TaskFailure(Standard.EXPRESSION.error("invalid JSON Schema: " + e.getMessage(), pointer));
        }
    }

    /**
     * Whether the value at a path, {@code .items.0.id}, equals a value or satisfies comparisons:
     * {@code exists}, {@code equals}, {@code hasLength}, {@code gt}, {@code gte}, {@code lt}, {@code lte}.
     */
    private static boolean has(Json value, String path, Json expected) {
        Json current = value;
        for (String name : path.replaceFirst("^[.$]+", "")
                .replace("[", ".")
                .replace("]", "")
                .split("\\.")) {
            if (name.isEmpty()) {
                continue;
            }
            boolean index = current instanceof Json.Arr && name.matches("\\d{1,6}");
            current = index ? item(current.list(), Integer.parseInt(name)) : current.get(name);
        }
        return is(current, expected);
    }

    private static boolean is(Json value, Json expected) {
        boolean comparisons = expected instanceof Json.Obj
                && COMPARISONS.containsAll(expected.map().keySet());
        if (!comparisons) {
            return value.equals(expected);
        }
        return expected.map().entrySet().stream().allMatch(comparison -> {
            Json operand = comparison.getValue();
            return switch (comparison.getKey()) {
                case "exists" -> value.isNull() != operand.isTruthy();
                case "equals" -> value.equals(operand);
                case "hasLength" -> is(Json.of(length(value)), operand);
                case "gt" -> value.compareTo(operand) > 0;
                case "gte" -> value.compareTo(operand) >= 0;
                case "lt" -> value.compareTo(operand) < 0;
                default -> value.compareTo(operand) <= 0;
            };
        });
    }

    private static Json item(List<Json> items, int index) {
        return index < items.size() ? items.get(index) : Values.NULL;
    }

    private static int length(Json value) {
        return switch (value) {
            case Json.Str(String text) -> text.length();
            case Json.Arr(List<Json> items) -> items.size();
            case Json.Null _, Json.Bool _, Json.Num _, Json.Obj _ -> value.map().size();
        };
    }
}
