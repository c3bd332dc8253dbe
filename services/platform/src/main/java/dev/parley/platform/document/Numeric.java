package dev.parley.platform.document;

import dev.parley.domain.document.Fault;
import dev.parley.domain.document.Field;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Numbers between two bounds. */
record Numeric(Class<?> type, long min, long max) implements Value {
    Numeric(Class<?> type, Field rules) {
        this(type, rules.min(), rules.max());
    }

    /** A number, or a text with one. */
    static Optional<BigDecimal> number(Object document) {
        try {
            return document instanceof Number || document instanceof String
                    ? Optional.of(new BigDecimal(document.toString().strip()))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    @Override
    public @Nullable Object read(Object document, List<Fault> faults) {
        Object value = number(document).map(this::convert).orElse(null);
        if (value == null) {
            faults.add(new Fault("", problem()));
        }
        return value;
    }

    private @Nullable Object convert(BigDecimal number) {
        if (number.compareTo(BigDecimal.valueOf(min)) < 0 || number.compareTo(BigDecimal.valueOf(max)) > 0) {
            return null;
        }
        try {
            return isWhole()
                    ? type == Long.class ? (Object) number.longValueExact() : (Object) number.intValueExact()
                    : (Object) number.doubleValue();
        } catch (ArithmeticException e) {
            return null;
        }
    }

    private boolean isWhole() {
        return type != Double.class;
    }

    private String problem() {
        String number = isWhole() ? "a whole number " : "";
        if (min == Long.MIN_VALUE) {
            return "must be " + (isWhole() ? "a whole number" : "a number");
        }
        return max == Long.MAX_VALUE
                ? "must be " + min + " or more"
                : "must be %sfrom %d to %d".formatted(number, min, max);
    }

    @Override
    public Object write(Object value) {
        return value;
    }

    @Override
    public Map<String, Object> schema() {
        var schema = new HashMap<String, Object>(Map.of("type", isWhole() ? "integer" : "number"));
        schema.put("format", type == Double.class ? "double" : type == Long.class ? "int64" : "int32");
        if (min > Long.MIN_VALUE) {
            schema.put("minimum", min);
        }
        if (max < Long.MAX_VALUE) {
            schema.put("maximum", max);
        }
        return schema;
    }
}
