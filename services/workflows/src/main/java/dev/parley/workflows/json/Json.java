package dev.parley.workflows.json;

import java.math.BigDecimal;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * An immutable JSON value; a list or map passed to it must not be changed afterwards. Objects keep the insertion order
 * of their members and are equal in any order; numbers are equal by value ({@code 1} and {@code 1.0}).
 *
 * <p>Values are ordered as jq orders them: null, false, true, numbers, strings by code points, arrays, objects (by
 * their sorted names, then by their values).
 */
public sealed interface Json extends Comparable<Json> {
    /** JSON null. */
    record Null() implements Json {
        @Override
        public String toString() {
            return JsonText.write(this);
        }
    }

    /** True or false; see {@link Json#of(boolean)}. */
    record Bool(boolean value) implements Json {
        @Override
        public String toString() {
            return JsonText.write(this);
        }
    }

    /** An exact decimal number. */
    record Num(BigDecimal value) implements Json {
        @Override
        public boolean equals(Object other) {
            return other instanceof Num(BigDecimal otherValue) && value.compareTo(otherValue) == 0;
        }

        @Override
        public int hashCode() {
            return value.signum() == 0 ? 0 : value.stripTrailingZeros().hashCode();
        }

        @Override
        public String toString() {
            return JsonText.write(this);
        }
    }

    record Str(String value) implements Json {
        @Override
        public String toString() {
            return JsonText.write(this);
        }
    }

    /** An array; see {@link Json#of(List)}. */
    record Arr(Items items) implements Json {
        @Override
        public String toString() {
            return JsonText.write(this);
        }
    }

    /** An object; see {@link Json#of(SequencedMap)}. */
    record Obj(JsonMembers members) implements Json {
        @Override
        public String toString() {
            return JsonText.write(this);
        }
    }

    /** Number of values and characters; repeated values are counted each time. */
    default long weight() {
        return switch (this) {
            case Str(String value) -> 1L + value.length();
            case Arr(Items items) -> items.extent().weight();
            case Obj(JsonMembers members) -> members.extent().weight();
            case Null _, Bool _, Num _ -> 1;
        };
    }

    /** Nesting of arrays and objects; 0 for other values. */
    default int depth() {
        return switch (this) {
            case Arr(Items items) -> items.extent().depth();
            case Obj(JsonMembers members) -> members.extent().depth();
            case Null _, Bool _, Num _, Str _ -> 0;
        };
    }

    /** True or false. */
    static Json of(boolean value) {
        return value ? Values.TRUE : Values.FALSE;
    }

    /** An integer. */
    static Json of(long value) {
        return new Num(BigDecimal.valueOf(value));
    }

    /** A string. */
    static Json of(String value) {
        return new Str(value);
    }

    /** The text of a value, or JSON null for null. */
    static Json textOf(@Nullable Object value) {
        return value == null ? Values.NULL : of(value.toString());
    }

    /** An array of the given items. */
    static Arr of(List<Json> items) {
        return new Arr(items instanceof Items existing ? existing : new Items(items));
    }

    /** An object of the given members. */
    static Obj of(SequencedMap<String, Json> members) {
        return new Obj(members instanceof JsonMembers existing ? existing : new JsonMembers(members));
    }

    /** An object of one member. */
    static Obj of(String name, Json value) {
        return Values.EMPTY_OBJECT.with(name, value);
    }

    /**
     * Its type in jq: {@code null}, {@code boolean}, {@code number}, {@code string}, {@code array} or {@code object}.
     */
    default String type() {
        return switch (this) {
            case Null _ -> "null";
            case Bool _ -> "boolean";
            case Num _ -> "number";
            case Str _ -> "string";
            case Arr _ -> "array";
            case Obj _ -> "object";
        };
    }

    /** Whether this value is neither null nor false. */
    default boolean isTruthy() {
        return !(this instanceof Null || this instanceof Bool(boolean value) && !value);
    }

    /** Whether this value is JSON null. */
    default boolean isNull() {
        return this instanceof Null;
    }

    /** The member with this name, or JSON null. */
    default Json get(String name) {
        return this instanceof Obj(SequencedMap<String, Json> members)
                ? members.getOrDefault(name, Values.NULL)
                : Values.NULL;
    }

    /** The text if this value is a string. */
    default Optional<String> text() {
        return this instanceof Str(String value) ? Optional.of(value) : Optional.empty();
    }

    /** The items if this value is an array, else none. */
    default List<Json> list() {
        return this instanceof Arr(List<Json> items) ? items : List.of();
    }

    /** The members if this value is an object, else none. */
    default Map<String, Json> map() {
        return this instanceof Obj(SequencedMap<String, Json> members) ? members : Map.of();
    }

    /** A copy of this object with a member set; other values count as an empty object. */
    default Obj with(String name, Json value) {
        var members = new LinkedHashMap<>(map());
        members.put(name, value);
        return of(members);
    }

    /** Text for display: a string without quotes, other values as JSON. */
    default String display() {
        return this instanceof Str(String value) ? value : JsonText.write(this);
    }

    @Override
    default int compareTo(Json other) {
        int rank = Integer.compare(rank(), other.rank());
        if (rank != 0) {
            return rank;
        }
        return switch (this) {
            case Num(BigDecimal value) -> value.compareTo(((Num) other).value());
            case Str(String value) -> compareCodePoints(value, ((Str) other).value());
            case Arr(List<Json> items) -> compare(items, ((Arr) other).items());
            case Obj object -> compare(object, (Obj) other);
            case Null _, Bool _ -> 0;
        };
    }

    private int rank() {
        return switch (this) {
            case Null _ -> 0;
            case Bool(boolean value) -> value ? 2 : 1;
            case Num _ -> 3;
            case Str _ -> 4;
            case Arr _ -> 5;
            case Obj _ -> 6;
        };
    }

    private static int compare(List<Json> first, List<Json> second) {
        Iterator<Json> secondItems = second.iterator();
        for (Json item : first) {
            if (!secondItems.hasNext()) {
                return 1;
            }
            int compared = item.compareTo(secondItems.next());
            if (compared != 0) {
                return compared;
            }
        }
        return secondItems.hasNext() ? -1 : 0;
    }

    private static int compare(Obj first, Obj second) {
        List<String> firstNames = sortedNames(first);
        List<String> secondNames = sortedNames(second);
        int compared = compare(
                firstNames.stream().map(Json::of).toList(),
                secondNames.stream().map(Json::of).toList());
        if (compared != 0) {
            return compared;
        }
        return compare(
                firstNames.stream().map(first::get).toList(),
                firstNames.stream().map(second::get).toList());
    }

    /** Member names in jq's order. */
    static List<String> sortedNames(Obj object) {
        return object.members().keySet().stream()
                .sorted(Json::compareCodePoints)
                .toList();
    }

    /** Compares by code points, unlike {@link String#compareTo}, which compares UTF-16 units. */
    static int compareCodePoints(String first, String second) {
        int length = Math.min(first.length(), second.length());
        for (int i = 0; i < length; i++) {
            char a = first.charAt(i);
            char b = second.charAt(i);
            if (a != b) {
                boolean pairs = Character.isSurrogate(a) != Character.isSurrogate(b);
                return pairs ? (Character.isSurrogate(a) ? 1 : -1) : Character.compare(a, b);
            }
        }
        return Integer.compare(first.length(), second.length());
    }
}
