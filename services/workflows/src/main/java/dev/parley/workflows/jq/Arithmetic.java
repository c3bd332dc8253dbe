package dev.parley.workflows.jq;

import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Arithmetic and comparison operators of jq. */
final class Arithmetic {
    private static final MathContext PRECISION = MathContext.DECIMAL128;

    private Arithmetic() {}

    static Json apply(String operator, Json a, Json b, EvaluationLimits budget) {
        return switch (operator) {
            case "+" -> plus(a, b, budget);
            case "-" -> minus(a, b, budget);
            case "*" -> times(a, b, budget);
            case "/" -> divide(a, b, budget);
            case "%" -> modulo(a, b);
            default -> {
                budget.step(Math.min(Paths.length(a), Paths.length(b)) / 16);
                yield Json.of(compare(operator, a, b));
            }
        };
    }

    private static boolean compare(String operator, Json a, Json b) {
        return switch (operator) {
            case "==" -> a.equals(b);
            case "!=" -> !a.equals(b);
            case "<" -> a.compareTo(b) < 0;
            case "<=" -> a.compareTo(b) <= 0;
            case ">" -> a.compareTo(b) > 0;
            default -> a.compareTo(b) >= 0;
        };
    }

    static Json number(BigDecimal value) {
        if (!JsonText.isWritable(value)) {
            BigDecimal rounded = value.round(PRECISION);
            if (!JsonText.isWritable(rounded)) {
                if (rounded.scale() > 0) {
                    return Json.of(0);
                }
                throw new JqException("The number is too large");
            }
            return new Json.Num(rounded);
        }
        return new Json.Num(value);
    }

    static Json plus(Json a, Json b, EvaluationLimits budget) {
        if (a.isNull()) {
            return b;
        }
        if (b.isNull()) {
            return a;
        }
        budget.make(Paths.length(a) + Paths.length(b));
        return switch (a) {
            case Json.Num(BigDecimal left)
            when b instanceof Json.Num(BigDecimal right) -> number(left.add(right, PRECISION));
            case Json.Str(String left) when b instanceof Json.Str(String right) -> Json.of(left + right);
            case Json.Arr(List<Json> left)
            when b instanceof Json.Arr(List<Json> right) ->
                Json.of(Stream.concat(left.stream(), right.stream()).toList());
            case Json.Obj(SequencedMap<String, Json> left)
            when b instanceof Json.Obj(SequencedMap<String, Json> right) -> merge(left, right);
            default -> throw cannot(a, b, "added");
        };
    }

    /** The members of both objects; those of the right one take precedence. */
    private static Json merge(SequencedMap<String, Json> left, SequencedMap<String, Json> right) {
        var joined = new LinkedHashMap<>(left);
        joined.putAll(right);
        return Json.of(joined);
    }

    private static Json minus(Json a, Json b, EvaluationLimits budget) {
        if (a instanceof Json.Num(BigDecimal left) && b instanceof Json.Num(BigDecimal right)) {
            return number(left.subtract(right, PRECISION));
        }
        if (a instanceof Json.Arr(List<Json> items) && b instanceof Json.Arr(List<Json> excluded)) {
            budget.make((long) items.size() + excluded.size());
            var excludedItems = new HashSet<>(excluded);
            return Json.of(new ArrayList<>(
                    items.stream().filter(item -> !excludedItems.contains(item)).toList()));
        }
        throw cannot(a, b, "subtracted");
    }

    private static Json times(Json a, Json b, EvaluationLimits budget) {
        if (a instanceof Json.Num(BigDecimal left) && b instanceof Json.Num(BigDecimal right)) {
            return number(left.multiply(right, PRECISION));
        }
        if (a instanceof Json.Str(String text) && b instanceof Json.Num(BigDecimal count)) {
            return repeat(text, count, budget);
        }
        if (a instanceof Json.Num(BigDecimal count) && b instanceof Json.Str(String text)) {
            return repeat(text, count, budget);
        }
        if (a instanceof Json.Obj left && b instanceof Json.Obj right) {
            return merge(left, right, budget);
        }
        throw cannot(a, b, "multiplied");
    }

    private static Json repeat(String text, BigDecimal count, EvaluationLimits budget) {
        if (count.signum() < 0) {
            return Values.NULL;
        }
        long times = Paths.floor(count);
        budget.make(Math.max(1, times) * Math.max(1, text.length()));
        return Json.of(text.repeat((int) times));
    }

    private static Json merge(Json.Obj left, Json.Obj right, EvaluationLimits budget) {
        budget.make((long) left.members().size() + right.members().size());
        var merged = new LinkedHashMap<>(left.members());
        right.members().forEach((name, value) -> {
            Json old = merged.get(name);
            merged.put(
                    name,
                    old instanceof Json.Obj inner && value instanceof Json.Obj replacement
                            ? merge(inner, replacement, budget)
                            : value);
        });
        return Json.of(merged);
    }

    private static Json divide(Json a, Json b, EvaluationLimits budget) {
        if (a instanceof Json.Num(BigDecimal left) && b instanceof Json.Num(BigDecimal right)) {
            if (right.signum() == 0) {
                throw cannot(a, b, "divided because the divisor is zero");
            }
            BigDecimal quotient = left.divide(right, PRECISION);
            return number(quotient.scale() > 0 ? quotient.stripTrailingZeros() : quotient);
        }
        if (a instanceof Json.Str(String text) && b instanceof Json.Str(String separator)) {
            return split(text, separator, budget);
        }
        throw cannot(a, b, "divided");
    }

    /** Splits a text by a separator, or into characters if the separator is empty. */
    static Json split(String text, String separator, EvaluationLimits budget) {
        budget.make(text.length() + 1L);
        if (text.isEmpty()) {
            return Values.EMPTY_ARRAY;
        }
        if (separator.isEmpty()) {
            return Json.of(new ArrayList<>(text.codePoints()
                    .mapToObj(Character::toString)
                    .map(Json::of)
                    .toList()));
        }
        return Json.of(new ArrayList<>(Arrays.stream(text.split(Pattern.quote(separator), -1))
                .map(Json::of)
                .toList()));
    }

    private static Json modulo(Json a, Json b) {
        if (a instanceof Json.Num(BigDecimal left) && b instanceof Json.Num(BigDecimal right)) {
            BigInteger divisor = truncate(right);
            if (divisor.signum() == 0) {
                throw cannot(a, b, "divided because the divisor is zero");
            }
            return number(new BigDecimal(truncate(left).remainder(divisor.abs())));
        }
        throw cannot(a, b, "divided");
    }

    private static BigInteger truncate(BigDecimal number) {
        return number.setScale(0, RoundingMode.DOWN).toBigInteger();
    }

    static Json negate(Json value) {
        if (value instanceof Json.Num(BigDecimal number)) {
            return new Json.Num(number.negate());
        }
        throw new JqException(Paths.describe(value) + " cannot be negated");
    }

    private static JqException cannot(Json a, Json b, String operation) {
        return new JqException(Paths.describe(a) + " and " + Paths.describe(b) + " cannot be " + operation);
    }
}
