package dev.parley.domain;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An enum whose constants have a lower-case code in JSON, tables, settings and metrics, for example
 * {@code in_progress}.
 */
public interface Coded {
    String name();

    default String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The constant with this code; empty for null and for an unknown code. */
    static <E extends Enum<E> & Coded> Optional<E> of(Class<E> type, @Nullable String code) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.code().equals(code))
                .findFirst();
    }
}
