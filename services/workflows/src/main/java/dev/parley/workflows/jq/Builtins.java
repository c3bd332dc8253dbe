package dev.parley.workflows.jq;

import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The builtin functions that are implemented in Java. */
final class Builtins {
    /** A function of its input and argument values. */
    interface Plain {
        Json apply(Json in, List<Json> arguments, EvaluationLimits budget);
    }

    /** A function that evaluates its arguments itself. */
    private interface Special {
        void run(Invocation call);
    }

    private static final Map<String, Plain> PLAIN = new HashMap<>();
    private static final Map<String, Special> SPECIAL = new HashMap<>();

    /** Functions written in jq. */
    static final Map<String, JqFilter.Function> PRELUDE = new TreeMap<>();

    private Builtins() {}

    static boolean has(String key) {
        return !key.startsWith("_") && (PLAIN.containsKey(key) || SPECIAL.containsKey(key) || PRELUDE.containsKey(key));
    }

    /** The arities of the functions with this name. */
    static List<String> aritiesOf(String name) {
        return names().filter(key -> key.startsWith(name + "/"))
                .map(key -> key.substring(name.length() + 1))
                .toList();
    }

    /** All names, for tests. */
    static List<String> all() {
        return names().filter(key -> !key.startsWith("_")).toList();
    }

    private static Stream<String> names() {
        return Stream.of(PLAIN.keySet(), SPECIAL.keySet(), PRELUDE.keySet())
                .flatMap(Set::stream)
                .sorted()
                .distinct();
    }

    static void call(String key, Invocation call) {
        Special special = SPECIAL.get(key);
        if (special != null) {
            special.run(call);
            return;
        }
        Plain plain = PLAIN.get(key);
        if (plain == null) {
            throw new JqException(key + " is not defined");
        }
        call.apply(plain, call::emit);
    }

    private static void of(String name, UnaryOperator<Json> function) {
        PLAIN.put(name + "/0", (in, _, budget) -> {
            budget.make(Paths.length(in));
            return function.apply(in);
        });
    }

    private static void with(String name, BinaryOperator<Json> function) {
        PLAIN.put(name + "/1", (in, arguments, budget) -> {
            budget.make(Paths.length(in));
            return function.apply(in, arguments.getFirst());
        });
    }

    private static void math(String name, UnaryOperator<BigDecimal> function) {
        of(name, in -> Arithmetic.number(function.apply(decimal(in))));
    }

    private static void defineReal(String name, DoubleUnaryOperator function) {
        of(name, in -> realNumber(function.applyAsDouble(decimal(in).doubleValue())));
    }

    private static void defineReal(String name, DoubleBinaryOperator function) {
        PLAIN.put(
                name + "/2",
                (_, arguments, _) -> realNumber(function.applyAsDouble(
                        decimal(arguments.get(0)).doubleValue(),
                        decimal(arguments.get(1)).doubleValue())));
    }

    static {
        of("not", in -> Json.of(!in.isTruthy()));
        of("type", in -> Json.of(in.type()));
        of("length", Builtins::length);
        of("utf8bytelength", in -> Json.of(text(in).getBytes(StandardCharsets.UTF_8).length));
        of("keys", in -> keys(in, true));
        of("keys_unsorted", in -> keys(in, false));
        with("has", Builtins::has);
        with("contains", (in, part) -> Json.of(contains(in, part)));
        PLAIN.put("add/0", (in, _, budget) -> {
            Json sum = Values.NULL;
            for (Json item : children(in)) {
                budget.step(1);
                sum = Arithmetic.plus(sum, item, budget);
            }
            return sum;
        });
        of("reverse", Builtins::reverse);
        of("tojson", in -> Json.of(in.toString()));
        of("tostring", in -> in instanceof Json.Str ? in : Json.of(in.toString()));
        of("tonumber", Builtins::number);
        PLAIN.put("fromjson/0", (in, _, budget) -> new JqInterpreter(budget).parse(text(in)));
        of(
                "explode",
                in -> Json.of(
                        new ArrayList<>(text(in).codePoints().mapToObj(Json::of).toList())));
        of("implode", Builtins::implode);
        with("startswith", (in, start) -> Json.of(text(in, "startswith").startsWith(text(start, "startswith"))));
        with("endswith", (in, end) -> Json.of(text(in, "endswith").endsWith(text(end, "endswith"))));
        of("trim", in -> Json.of(trimmable(in).strip()));
        of("ltrim", in -> Json.of(trimmable(in).stripLeading()));
        of("rtrim", in -> Json.of(trimmable(in).stripTrailing()));
        with("_ascii_case", (in, upper) -> Json.of(changeCase(text(in), upper.isTruthy())));
        PLAIN.put(
                "split/1",
                (in, arguments, budget) ->
                        Arithmetic.split(text(in, "split"), text(arguments.getFirst(), "split"), budget));
        with("indices", (in, target) -> indices(in, target));
        PLAIN.put(
                "test/2",
                (in, arguments, budget) ->
                        Json.of(!RegexMatches.of(in, arguments.get(0), arguments.get(1), true, budget)
                                .isEmpty()));
        SPECIAL.put(
                "match/2",
                call -> call.apply(
                        (in, arguments, budget) ->
                                Json.of(RegexMatches.of(in, arguments.get(0), arguments.get(1), false, budget)),
                        found -> found.list().forEach(call::emit)));
        math("floor", number -> number.setScale(0, RoundingMode.FLOOR));
        math("ceil", number -> number.setScale(0, RoundingMode.CEILING));
        math("round", number -> number.setScale(0, RoundingMode.HALF_UP));
        math("trunc", number -> number.setScale(0, RoundingMode.DOWN));
        math("fabs", BigDecimal::abs);
        defineReal("sqrt", Math::sqrt);
        defineReal("exp", Math::exp);
        defineReal("exp2", x -> Math.pow(2, x));
        defineReal("exp10", x -> Math.pow(10, x));
        defineReal("log", Math::log);
        defineReal("log2", x -> Math.log(x) / Math.log(2));
        defineReal("log10", Math::log10);
        defineReal("sin", Math::sin);
        defineReal("cos", Math::cos);
        defineReal("tan", Math::tan);
        defineReal("asin", Math::asin);
        defineReal("acos", Math::acos);
        defineReal("atan", Math::atan);
        defineReal("cbrt", Math::cbrt);
        defineReal("pow", Math::pow);
        defineReal("atan2", Math::atan2);
        PLAIN.put("sort/0", (in, _, budget) -> sort(in, array(in, "sorted"), budget));
        PLAIN.put("_sort_by/1", (in, keys, budget) -> sort(in, keys.getFirst().list(), budget));
        PLAIN.put("_group_by/1", (in, keys, budget) -> group(in, keys.getFirst().list(), budget));
        PLAIN.put("_min_by/1", (in, keys, _) -> extreme(in, keys.getFirst().list(), -1));
        PLAIN.put("_max_by/1", (in, keys, _) -> extreme(in, keys.getFirst().list(), 1));
        PLAIN.put("flatten/1", (in, depth, budget) -> {
            if (decimal(depth.getFirst()).signum() < 0) {
                throw new JqException("flatten depth must not be negative");
            }
            var flat = new ArrayList<Json>();
            flatten(children(in), Paths.floor(decimal(depth.getFirst())), flat, budget);
            return Json.of(flat);
        });
        PLAIN.put(
                "setpath/2",
                (in, arguments, budget) ->
                        Paths.set(in, array(arguments.get(0), "used as a path"), 0, arguments.get(1), budget));
        PLAIN.put(
                "delpaths/1",
                (in, paths, budget) -> Paths.delete(in, array(paths.getFirst(), "used as paths"), budget));
        PLAIN.put(
                "bsearch/1",
                (in, target, _) -> Json.of(Collections.binarySearch(array(in, "searched"), target.getFirst())));
        of(
                "todateiso8601",
                in -> Json.of(instant(in).truncatedTo(ChronoUnit.SECONDS).toString()));
        of("fromdateiso8601", in -> {
            try {
                return Json.of(Instant.parse(text(in)).getEpochSecond());
            } catch (DateTimeException e) {
                throw new JqException("date \"" + text(in) + "\" does not match format \"%Y-%m-%dT%H:%M:%SZ\"");
            }
        });
        of("gmtime", in -> JqTimes.brokenDown(instant(in).atOffset(ZoneOffset.UTC)));
        of("mktime", in -> Json.of(JqTimes.moment(in, "mktime").toEpochSecond()));
        with("strftime", JqTimes::format);
        with("strptime", JqTimes::parse);

        SPECIAL.put("empty/0", _ -> {});
        SPECIAL.put("error/0", call -> {
            throw new JqException(call.in());
        });
        SPECIAL.put(
                "error/1",
                call -> call.each(0, value -> {
                    throw new JqException(value);
                }));
        SPECIAL.put("path/1", Builtins::path);
        SPECIAL.put("getpath/1", Builtins::getpath);
        SPECIAL.put("range/1", call -> call.each(0, to -> range(call, BigDecimal.ZERO, decimal(to), BigDecimal.ONE)));
        SPECIAL.put(
                "range/2",
                call -> call.each(
                        0, from -> call.each(1, to -> range(call, decimal(from), decimal(to), BigDecimal.ONE))));
        SPECIAL.put(
                "range/3",
                call -> call.each(
                        0,
                        from -> call.each(
                                1, to -> call.each(2, by -> range(call, decimal(from), decimal(to), decimal(by))))));
        SPECIAL.put("first/1", call -> limit(call, 1, 0));
        SPECIAL.put("limit/2", call -> call.each(0, count -> limit(call, Paths.floor(decimal(count)), 1)));
        SPECIAL.put("skip/2", call -> call.each(0, count -> skip(call, Paths.floor(decimal(count)))));
        SPECIAL.put("last/1", call -> {
            var last = new ArrayList<Runnable>(1);
            call.run(0, (value, path) -> {
                last.clear();
                last.add(() -> call.out().take(value, path));
            });
            last.forEach(Runnable::run);
        });
        SPECIAL.put("until/2", call -> {
            Json value = call.in();
            while (value != null && !call.isTrue(0, value)) {
                value = call.first(1, value);
            }
            if (value != null) {
                call.emit(value);
            }
        });
        SPECIAL.put("while/2", call -> {
            Json value = call.in();
            while (value != null && call.isTrue(0, value)) {
                call.emit(value);
                value = call.first(1, value);
            }
        });
        SPECIAL.put("repeat/1", call -> {
            Json value = call.in();
            while (value != null) {
                call.emit(value);
                value = call.first(0, value);
            }
        });
        try (InputStream prelude = Builtins.class.getResourceAsStream("prelude.jq")) {
            String text = new String(Objects.requireNonNull(prelude).readAllBytes(), StandardCharsets.UTF_8);
            Parser.functions(text).forEach(function -> PRELUDE.put(function.key(), function));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void path(Invocation call) {
        JqFilter target = call.arguments().getFirst();
        call.interpreter().run(target, call.env(), call.in(), new Path.Start(), (_, path) -> {
            call.emit(Objects.requireNonNull(path).toJson());
        });
    }

    private static void getpath(Invocation call) {
        call.each(0, keys -> {
            Path path = call.path();
            if (path != null) {
                for (Json key : array(keys, "used as a path")) {
                    path = path.child(key);
                }
            }
            call.out().take(Paths.at(call.in(), keys), path);
        });
    }

    private static void range(Invocation call, BigDecimal from, BigDecimal to, BigDecimal by) {
        if (by.signum() == 0) {
            return;
        }
        for (BigDecimal value = from; value.compareTo(to) * by.signum() < 0; value = value.add(by)) {
            call.interpreter().budget().step(1);
            call.emit(new Json.Num(value));
        }
    }

    private static void skip(Invocation call, long count) {
        long[] remaining = {count};
        call.run(1, (value, path) -> {
            if (remaining[0]-- <= 0) {
                call.out().take(value, path);
            }
        });
    }

    private static void limit(Invocation call, long count, int argument) {
        if (count < 0) {
            throw new JqException("Invalid arguments: limit doesn't support negative count");
        }
        if (count > 0) {
            takeFirst(call, count, argument);
        }
    }

    private static void takeFirst(Invocation call, long count, int argument) {
        var stop = new JqInterpreter.StopEvaluation();
        long[] remaining = {count};
        try {
            call.run(argument, (value, path) -> {
                remaining[0]--;
                call.out().take(value, path);
                if (remaining[0] <= 0) {
                    throw stop;
                }
            });
        } catch (JqInterpreter.StopEvaluation e) {
            if (e != stop) {
                throw e;
            }
        }
    }

    private static Json length(Json in) {
        return switch (in) {
            case Json.Null _ -> Json.of(0);
            case Json.Bool _ -> throw new JqException(Paths.describe(in) + " has no length");
            case Json.Num(BigDecimal number) -> new Json.Num(number.abs());
            case Json.Str(String text) -> Json.of(text.codePointCount(0, text.length()));
            case Json.Arr _, Json.Obj _ -> Json.of(Paths.length(in));
        };
    }

    private static Json keys(Json in, boolean sorted) {
        return switch (in) {
            case Json.Obj object -> {
                var names = sorted ? Json.sortedNames(object) : object.members().sequencedKeySet();
                yield Json.of(new ArrayList<>(names.stream().map(Json::of).toList()));
            }
            case Json.Arr(List<Json> items) -> {
                var keys = new ArrayList<Json>();
                for (int i = 0; i < items.size(); i++) {
                    keys.add(Json.of(i));
                }
                yield Json.of(keys);
            }
            case Json.Null _, Json.Bool _, Json.Num _, Json.Str _ ->
                throw new JqException(Paths.describe(in) + " has no keys");
        };
    }

    private static Json has(Json in, Json key) {
        if (in instanceof Json.Obj(var members) && key instanceof Json.Str(String name)) {
            return Json.of(members.containsKey(name));
        }
        if (in instanceof Json.Arr(List<Json> items) && key instanceof Json.Num(BigDecimal number)) {
            return Json.of(number.signum() >= 0 && Paths.floor(number) < items.size());
        }
        throw new JqException("Cannot check whether " + in.type() + " has a " + key.type() + " key");
    }

    private static boolean contains(Json in, Json part) {
        if (in instanceof Json.Obj && part instanceof Json.Obj(var members)) {
            return members.entrySet().stream()
                    .allMatch(member -> in.map().containsKey(member.getKey())
                            && contains(in.get(member.getKey()), member.getValue()));
        }
        if (in instanceof Json.Arr(List<Json> items) && part instanceof Json.Arr(List<Json> parts)) {
            return parts.stream()
                    .allMatch(required ->
                            items.stream().anyMatch(item -> sameType(item, required) && contains(item, required)));
        }
        if (in instanceof Json.Str(String text) && part instanceof Json.Str(String piece)) {
            return text.contains(piece);
        }
        if (sameType(in, part)) {
            return in.equals(part);
        }
        throw new JqException(
                Paths.describe(in) + " and " + Paths.describe(part) + " cannot have their containment checked");
    }

    private static boolean sameType(Json first, Json second) {
        return first.type().equals(second.type());
    }

    private static List<Json> children(Json in) {
        return switch (in) {
            case Json.Arr(List<Json> items) -> items;
            case Json.Obj(var members) -> List.copyOf(members.values());
            case Json.Null _ -> List.of();
            case Json.Bool _, Json.Num _, Json.Str _ ->
                throw new JqException("Cannot iterate over " + Paths.describe(in));
        };
    }

    private static Json reverse(Json in) {
        return switch (in) {
            case Json.Null _ -> Values.EMPTY_ARRAY;
            case Json.Str(String text) ->
                Json.of(new StringBuilder(text).reverse().toString());
            case Json.Arr(List<Json> items) -> Json.of(new ArrayList<>(items.reversed()));
            case Json.Bool _, Json.Num _, Json.Obj _ -> throw new JqException("Cannot reverse " + Paths.describe(in));
        };
    }

    private static Json number(Json in) {
        return switch (in) {
            case Json.Num _ -> in;
            case Json.Str(String text) -> {
                try {
                    yield Arithmetic.number(new BigDecimal(text.strip()));
                } catch (NumberFormatException e) {
                    throw new JqException("Cannot be parsed as a number: " + Paths.describe(in));
                }
            }
            case Json.Null _, Json.Bool _, Json.Arr _, Json.Obj _ ->
                throw new JqException(Paths.describe(in) + " cannot be parsed as a number");
        };
    }

    private static Json implode(Json in) {
        var text = new StringBuilder();
        for (Json point : array(in, "imploded")) {
            int code = (int) Paths.floor(decimal(point));
            if (!Character.isValidCodePoint(code)) {
                throw new JqException("Invalid codepoint literal: " + code);
            }
            text.appendCodePoint(code);
        }
        return Json.of(text.toString());
    }

    private static String changeCase(String text, boolean upper) {
        var cased = new StringBuilder(text);
        for (int i = 0; i < text.length(); i++) {
            char sign = text.charAt(i);
            if (upper && sign >= 'a' && sign <= 'z') {
                cased.setCharAt(i, (char) (sign - 32));
            } else if (!upper && sign >= 'A' && sign <= 'Z') {
                cased.setCharAt(i, (char) (sign + 32));
            }
        }
        return cased.toString();
    }

    private static Json indices(Json in, Json target) {
        if (in.isNull()) {
            return in;
        }
        if (in instanceof Json.Str(String text) && target instanceof Json.Str(String piece)) {
            var found = new ArrayList<Json>();
            for (int index = piece.isEmpty() ? -1 : text.indexOf(piece);
                    index >= 0;
                    index = text.indexOf(piece, index + 1)) {
                found.add(Json.of(text.codePointCount(0, index)));
            }
            return Json.of(found);
        }
        List<Json> items = array(in, "searched");
        return Json.of(indices(items, target instanceof Json.Arr(List<Json> elements) ? elements : List.of(target)));
    }

    /** Indexes of a subarray. */
    static List<Json> indices(List<Json> items, List<Json> target) {
        var found = new ArrayList<Json>();
        for (int index = 0; !target.isEmpty() && index + target.size() <= items.size(); index++) {
            if (items.subList(index, index + target.size()).equals(target)) {
                found.add(Json.of(index));
            }
        }
        return found;
    }

    private static Json sort(Json in, List<Json> keys, EvaluationLimits budget) {
        List<Json> items = array(in, "sorted");
        var sorted = new ArrayList<Json>();
        order(keys, budget).forEach(index -> sorted.add(items.get(index)));
        return Json.of(sorted);
    }

    /** Indexes of the keys in sorted order. */
    private static List<Integer> order(List<Json> keys, EvaluationLimits budget) {
        var indexes = new ArrayList<Integer>();
        for (int i = 0; i < keys.size(); i++) {
            indexes.add(i);
        }
        budget.make(2L * indexes.size());
        indexes.sort((first, second) -> {
            budget.step(1);
            return keys.get(first).compareTo(keys.get(second));
        });
        return indexes;
    }

    private static Json group(Json in, List<Json> keys, EvaluationLimits budget) {
        List<Json> items = array(in, "grouped");
        var groups = new LinkedHashMap<Json, List<Json>>();
        for (int index : order(keys, budget)) {
            groups.computeIfAbsent(keys.get(index), _ -> new ArrayList<>()).add(items.get(index));
        }
        var arrays = new ArrayList<Json>();
        groups.values().forEach(group -> arrays.add(Json.of(group)));
        return Json.of(arrays);
    }

    private static Json extreme(Json in, List<Json> keys, int sign) {
        List<Json> items = array(in, "searched");
        Integer best = null;
        for (int i = 0; i < keys.size(); i++) {
            int compared = best == null ? 1 : keys.get(i).compareTo(keys.get(best)) * sign;
            if (compared > 0 || compared == 0 && sign > 0) {
                best = i;
            }
        }
        return best == null ? Values.NULL : items.get(best);
    }

    private static void flatten(List<Json> items, long depth, List<Json> flat, EvaluationLimits budget) {
        for (Json item : items) {
            if (item instanceof Json.Arr(List<Json> inner) && depth > 0) {
                budget.step(1);
                flatten(inner, depth - 1, flat, budget);
            } else {
                budget.make(1);
                flat.add(item);
            }
        }
    }

    private static BigDecimal decimal(Json value) {
        if (value instanceof Json.Num(BigDecimal number)) {
            return number;
        }
        throw new JqException(Paths.describe(value) + " number required");
    }

    private static Json realNumber(double value) {
        if (Double.isNaN(value)) {
            return Values.NULL;
        }
        double finite = Math.clamp(value, -Double.MAX_VALUE, Double.MAX_VALUE);
        BigDecimal number = BigDecimal.valueOf(finite).stripTrailingZeros();
        return Arithmetic.number(number);
    }

    private static String text(Json value) {
        return text(value, "used as a string");
    }

    static String text(Json value, String usage) {
        return value.text()
                .orElseThrow(() -> new JqException(Paths.describe(value) + " cannot be " + usage
                        + (usage.equals("matched") ? ", as it is not a string" : ": a string is required")));
    }

    private static String trimmable(Json value) {
        return value.text().orElseThrow(() -> new JqException(Paths.describe(value) + " cannot be trimmed"));
    }

    private static List<Json> array(Json value, String usage) {
        if (value instanceof Json.Arr(List<Json> items)) {
            return items;
        }
        throw new JqException(Paths.describe(value) + " cannot be " + usage + ", as it is not an array");
    }

    private static Instant instant(Json value) {
        BigInteger seconds = decimal(value).setScale(0, RoundingMode.FLOOR).toBigInteger();
        try {
            return Instant.ofEpochSecond(seconds.longValueExact());
        } catch (DateTimeException | ArithmeticException e) {
            throw new JqException("error converting number of seconds since epoch to datetime");
        }
    }
}
