package dev.parley.domain.json;

import java.math.BigDecimal;

/**
 * A decimal number whose text is its digits without an exponent, with each digit that it was read with. JSON trees hold
 * their numbers as this, so that whoever writes one into JSON, an address or a command line writes the same text.
 */
public final class PlainDecimal extends BigDecimal {
    private static final long serialVersionUID = 1L;

    private static final int MAX_DIGITS = JsonBounds.REQUEST.exponent() + JsonBounds.MAX_NUMBER;

    public PlainDecimal(BigDecimal value) {
        super(value.unscaledValue(), value.scale());
    }

    @Override
    public String toString() {
        return text(this);
    }

    /** The digits of a number without an exponent; with it where it is not {@linkplain #isShort short}. */
    public static String text(BigDecimal value) {
        return isShort(value) ? value.toPlainString() : new BigDecimal(value.unscaledValue(), value.scale()).toString();
    }

    /** Whether a number has few digits also without its exponent: one of ten characters can have a billion. */
    public static boolean isShort(BigDecimal value) {
        return Math.abs((long) value.scale()) <= MAX_DIGITS && value.precision() <= MAX_DIGITS;
    }
}
