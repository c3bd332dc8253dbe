package dev.parley.platform.document;

import dev.parley.domain.document.Field;
import dev.parley.platform.serde.JavaType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of a type with its rules. */
final class Values {
    private Values() {}

    static Value of(JavaType type, Field rules) {
        Class<?> raw = type.raw();
        return switch (rules.form()) {
            case OBJECT -> new ObjectText(rules.length());
            case DOLLARS -> new Dollars(rules.max());
            case BLOCK_OR_ALLOW -> Choice.blockOrAllow();
            case ONE_OR_BOTH -> Choice.oneOrBoth(type.argument(0).raw());
            case LINE, VERBATIM, PATTERN -> new Text(rules);
            case PLAIN -> raw.isEnum() ? new Choice(raw) : plain(type, raw, rules);
        };
    }

    private static Value plain(JavaType type, Class<?> raw, Field rules) {
        if (raw == String.class) {
            return new Text(rules);
        }
        if (raw == boolean.class) {
            return new Flag();
        }
        if (raw == Duration.class) {
            return new Time(rules);
        }
        if (raw == List.class) {
            return new Entries(of(type.argument(0), rules), rules);
        }
        if (raw == Map.class) {
            return new Members(rules);
        }
        return raw.isRecord() ? new Nested<>(Document.of(raw.asSubclass(Record.class))) : new Numeric(raw, rules);
    }

    /** The value of a component that a document does not have. */
    static @Nullable Object empty(JavaType type) {
        Class<?> raw = type.raw();
        if (type.nullable()) {
            return null;
        }
        if (raw == String.class) {
            return "";
        }
        if (raw == List.class) {
            return List.of();
        }
        if (raw == Map.class) {
            return Map.of();
        }
        if (raw == boolean.class) {
            return false;
        }
        if (raw == int.class) {
            return 0;
        }
        if (raw.isRecord()) {
            return Document.of(raw.asSubclass(Record.class)).read(Map.of());
        }
        throw new IllegalStateException("a " + type + " needs a default, or has to be required");
    }
}
