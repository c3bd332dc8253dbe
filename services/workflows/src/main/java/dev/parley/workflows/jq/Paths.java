package dev.parley.workflows.jq;

import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** Reads, sets and deletes values at paths. */
final class Paths {
    private static final int MAX_ARRAY_LENGTH = 1_000_000;
    private static final int MAX_SHOWN_LENGTH = 11;

    private Paths() {}

    /** A value for an error message: its type and its beginning. */
    static String describe(Json value) {
        if (value.isNull()) {
            return "null (null)";
        }
        String text = value instanceof Json.Arr || value instanceof Json.Obj ? "" : value.toString();
        String shortened = text.length() > MAX_SHOWN_LENGTH ? text.substring(0, MAX_SHOWN_LENGTH - 1) + "..." : text;
        return text.isEmpty() ? value.type() : value.type() + " (" + shortened + ")";
    }

    static long length(Json value) {
        return switch (value) {
            case Json.Str(String text) -> text.length();
            case Json.Arr(List<Json> items) -> items.size();
            case Json.Obj(SequencedMap<String, Json> members) -> members.size();
            case Json.Null _, Json.Bool _, Json.Num _ -> 1;
        };
    }

    /** The value at a key: a member by name, an item by index, a slice, or the indexes of a subarray. */
    static Json get(Json value, Json key) {
        return switch (key) {
            case Json.Str(String name) when value instanceof Json.Obj || value.isNull() -> value.get(name);
            case Json.Num(BigDecimal number) when value instanceof Json.Arr || value.isNull() -> item(value, number);
            case Json.Obj slice when value instanceof Json.Arr(List<Json> items) -> Json.of(slice(items, slice));
            case Json.Obj slice when value instanceof Json.Str(String text) -> Json.of(slice(text, slice));
            case Json.Obj _ when value.isNull() -> Values.NULL;
            case Json.Arr(List<Json> target)
            when value instanceof Json.Arr(List<Json> items) -> Json.of(Builtins.indices(items, target));
            case Json.Null _ when value.isNull() -> Values.NULL;
            default ->
                throw new JqException("Cannot index " + value.type() + " with "
                        + (key instanceof Json.Str(String name) ? "\"" + name + "\"" : key.type()));
        };
    }

    private static Json item(Json value, BigDecimal number) {
        List<Json> items = value.list();
        long index = floor(number);
        long position = index < 0 ? index + items.size() : index;
        return position >= 0 && position < items.size() ? items.get((int) position) : Values.NULL;
    }

    static long floor(BigDecimal number) {
        if (number.precision() - number.scale() > 18) {
            return number.signum() < 0 ? Integer.MIN_VALUE : Integer.MAX_VALUE;
        }
        return number.setScale(0, RoundingMode.FLOOR).longValue();
    }

    private static List<Json> slice(List<Json> items, Json slice) {
        int[] bounds = bounds(slice, items.size());
        return new ArrayList<>(items.subList(bounds[0], bounds[1]));
    }

    private static String slice(String text, Json slice) {
        int[] points = text.codePoints().toArray();
        int[] bounds = bounds(slice, points.length);
        return new String(points, bounds[0], bounds[1] - bounds[0]);
    }

    private static int[] bounds(Json slice, int length) {
        int from = bound(slice.get("start"), 0, length, RoundingMode.FLOOR);
        int to = bound(slice.get("end"), length, length, RoundingMode.CEILING);
        return new int[] {from, Math.max(from, to)};
    }

    private static int bound(Json bound, int defaultValue, int length, RoundingMode rounding) {
        return switch (bound) {
            case Json.Null _ -> defaultValue;
            case Json.Num(BigDecimal number) -> {
                long position = number.precision() - number.scale() > 18
                        ? (long) number.signum() * Integer.MAX_VALUE
                        : number.setScale(0, rounding).longValue();
                yield Math.clamp(position < 0 ? position + length : position, 0, length);
            }
            case Json.Bool _, Json.Str _, Json.Arr _, Json.Obj _ ->
                throw new JqException("Start and end indices of an array slice must be numbers");
        };
    }

    /** The value at a path, or JSON null. */
    static Json at(Json value, Json path) {
        if (!(path instanceof Json.Arr(List<Json> keys))) {
            throw new JqException("Path must be specified as an array");
        }
        Json current = value;
        for (Json key : keys) {
            if (current.isNull()) {
                return current;
            }
            current = get(current, key);
        }
        return current;
    }

    /**
     * A copy with another value at a path.
     *
     * @param next index of the first key
     */
    static Json set(Json value, List<Json> path, int next, Json replacement, EvaluationLimits budget) {
        if (next == path.size()) {
            return replacement;
        }
        Json key = path.get(next);
        Json old = get(value, key);
        Json changed = set(old, path, next + 1, replacement, budget);
        budget.make(length(value) + 1);
        return switch (key) {
            case Json.Str(String name) -> value.with(name, changed);
            case Json.Num(BigDecimal number) -> Json.of(withItem(value.list(), number, changed, budget));
            case Json.Obj slice -> Json.of(withSlice(value.list(), slice, changed));
            case Json.Null _, Json.Bool _, Json.Arr _ -> throw new JqException("Invalid path component " + key.type());
        };
    }

    private static List<Json> withoutItem(List<Json> items, long index) {
        long position = index < 0 ? index + items.size() : index;
        var remaining = new ArrayList<>(items);
        if (position >= 0 && position < remaining.size()) {
            remaining.remove((int) position);
        }
        return remaining;
    }

    private static List<Json> withItem(List<Json> items, BigDecimal number, Json replacement, EvaluationLimits budget) {
        long index = floor(number);
        long position = index < 0 ? index + items.size() : index;
        if (position < 0) {
            throw new JqException("Out of bounds negative array index");
        }
        if (position >= MAX_ARRAY_LENGTH) {
            throw new JqException("Array index too large");
        }
        var changed = new ArrayList<>(items);
        if (position >= items.size()) {
            budget.make(position - items.size() + 1);
            while (changed.size() <= position) {
                changed.add(Values.NULL);
            }
        }
        changed.set((int) position, replacement);
        return changed;
    }

    private static List<Json> withSlice(List<Json> items, Json slice, Json replacement) {
        if (!(replacement instanceof Json.Arr(List<Json> replacing))) {
            throw new JqException("A slice of an array can only be assigned another array");
        }
        int[] bounds = bounds(slice, items.size());
        var changed = new ArrayList<>(items.subList(0, bounds[0]));
        changed.addAll(replacing);
        changed.addAll(items.subList(bounds[1], items.size()));
        return changed;
    }

    /** A copy without the values at these paths. */
    static Json delete(Json value, List<Json> paths, EvaluationLimits budget) {
        Json changed = value;
        for (Json path : paths.stream()
                .sorted(Comparator.<Json>naturalOrder().reversed())
                .toList()) {
            if (!(path instanceof Json.Arr(List<Json> keys))) {
                throw new JqException("Path must be specified as an array");
            }
            changed = delete(changed, keys, 0, budget);
        }
        return changed;
    }

    private static Json delete(Json value, List<Json> path, int next, EvaluationLimits budget) {
        if (value.isNull()) {
            return value;
        }
        if (path.isEmpty()) {
            return Values.NULL;
        }
        Json key = path.get(next);
        if (next < path.size() - 1) {
            Json inner = get(value, key);
            return inner.isNull() ? value : set(value, List.of(key), 0, delete(inner, path, next + 1, budget), budget);
        }
        budget.make(length(value));
        return without(value, key);
    }

    private static Json without(Json value, Json key) {
        return switch (key) {
            case Json.Str(String name)
            when value instanceof Json.Obj(SequencedMap<String, Json> members) -> {
                var remaining = new LinkedHashMap<>(members);
                remaining.remove(name);
                yield Json.of(remaining);
            }
            case Json.Num(BigDecimal number)
            when value instanceof Json.Arr(List<Json> items) -> Json.of(withoutItem(items, floor(number)));
            case Json.Obj slice
            when value instanceof Json.Arr(List<Json> items) -> Json.of(withSlice(items, slice, Values.EMPTY_ARRAY));
            default -> throw new JqException("Cannot delete field at " + key.type() + " of " + value.type());
        };
    }
}
