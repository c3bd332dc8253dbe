package dev.parley.platform.document;

import dev.parley.domain.document.Fault;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Amounts of US dollars above 0, which components have in billionths. */
record Dollars(long max) implements Value {
    private static final int NANOS = 9;
    private static final int MAX_DECIMALS = 12;

    @Override
    public @Nullable Object read(Object document, List<Fault> faults) {
        BigDecimal dollars = Numeric.number(document).orElse(BigDecimal.ZERO);
        if (dollars.signum() <= 0 || dollars.scale() > MAX_DECIMALS || dollars.compareTo(BigDecimal.valueOf(max)) > 0) {
            faults.add(new Fault("", "must be above 0 and at most " + max + " dollars, with at most twelve decimals"));
            return null;
        }
        return Math.max(
                1L,
                dollars.movePointRight(NANOS).setScale(0, RoundingMode.HALF_UP).longValueExact());
    }

    @Override
    public Object write(Object value) {
        BigDecimal dollars = BigDecimal.valueOf((Long) value, NANOS).stripTrailingZeros();
        return dollars.scale() < 0 ? dollars.setScale(0) : dollars;
    }

    @Override
    public Map<String, Object> schema() {
        return Map.of("type", "number", "maximum", max);
    }
}
