package dev.parley.workflows.definition;

import dev.parley.workflows.expression.ExpressionException;
import dev.parley.workflows.expression.Scope;
import dev.parley.workflows.expression.Template;
import dev.parley.workflows.json.Json;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Period;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A duration of a definition: ISO 8601, or an object of days, hours, minutes, seconds and milliseconds; both may be
 * expressions.
 */
public record DurationExpression(Template template) {
    /** Units of a duration object. */
    static final List<String> UNITS = List.of("days", "hours", "minutes", "seconds", "milliseconds");

    private static final Map<String, Duration> LENGTHS = Map.of(
            "days", Duration.ofDays(1),
            "hours", Duration.ofHours(1),
            "minutes", Duration.ofMinutes(1),
            "seconds", Duration.ofSeconds(1),
            "milliseconds", Duration.ofMillis(1));
    private static final Duration MAX = Duration.ofDays(366 * 100);

    /**
     * The duration.
     *
     * @throws ExpressionException if it is not a duration, or longer than 100 years
     */
    public Duration evaluate(Scope scope) {
        Json value = template.evaluate(scope);
        return of(value)
                .orElseThrow(() -> new ExpressionException(
                        value + " is not a duration: use ISO 8601, such as PT15M, or an object with "
                                + String.join(", ", UNITS)));
    }

    /** The duration of a value, or empty if it is not a duration. */
    static Optional<Duration> of(Json value) {
        try {
            Duration duration = switch (value) {
                case Json.Str(String text) -> iso(text);
                case Json.Obj object -> sum(object);
                case Json.Null _, Json.Bool _, Json.Num _, Json.Arr _ -> null;
            };
            return Optional.ofNullable(duration).filter(length -> !length.isNegative() && length.compareTo(MAX) <= 0);
        } catch (DateTimeException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    private static Duration iso(String text) {
        int time = text.indexOf('T');
        if (time < 0) {
            return days(Period.parse(text));
        }
        Duration clock = Duration.parse("P" + text.substring(time));
        String date = text.substring(0, time);
        return date.equals("P") ? clock : days(Period.parse(date)).plus(clock);
    }

    /** Months count as 30 days, years as 365. */
    private static Duration days(Period period) {
        return Duration.ofDays(period.getYears() * 365L + period.getMonths() * 30L + period.getDays());
    }

    private static Duration sum(Json.Obj object) {
        Duration sum = Duration.ZERO;
        for (var unit : object.members().entrySet()) {
            Duration length = LENGTHS.get(unit.getKey());
            if (length == null || !(unit.getValue() instanceof Json.Num(BigDecimal count))) {
                throw new ArithmeticException("not a duration");
            }
            sum = sum.plus(Duration.ofNanos(
                    count.multiply(BigDecimal.valueOf(length.toNanos())).longValueExact()));
        }
        return sum;
    }
}
