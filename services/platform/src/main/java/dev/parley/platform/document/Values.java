package dev.parley.platform.document;

import dev.parley.domain.document.Field;
import dev.parley.platform.http.network.Network;
import dev.parley.platform.serde.JavaType;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The values of a type with its rules. */
final class Values {
    private Values() {}

    static Value of(JavaType type, Field rules) {
        Class<?> raw = type.raw();
        return switch (rules.form()) {
            case OBJECT -> new AnyJson(true, true, rules.length());
            case DURATION -> {
                var time = new Time(rules);
                yield new Converted(new Text(rules), text -> requireTime(time, text), text -> text, rules.problem());
            }
            case DOLLARS -> new Dollars(rules.max());
            case BLOCK_OR_ALLOW -> Choice.blockOrAllow();
            case ONE_OR_BOTH -> Choice.oneOrBoth(type.argument(0).raw());
            case LINE, VERBATIM, PATTERN -> raw == String.class ? new Text(rules) : plain(type, raw, rules);
            case INLINE, PLAIN -> raw.isEnum() ? new Choice(raw) : plain(type, raw, rules);
        };
    }

    private static Value plain(JavaType type, Class<?> raw, Field rules) {
        if (raw == String.class) {
            return rules.codes() == void.class ? new Text(rules) : Choice.ofCodes(rules.codes());
        }
        if (raw == Object.class) {
            return new AnyJson(false, false, rules.length());
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
        if (raw == Set.class) {
            var list = new Entries(of(type.argument(0), rules), rules);
            return new Converted(list, Values::set, set -> List.copyOf(new TreeSet<>((Set<?>) set)), "");
        }
        if (raw == Map.class) {
            return type.argument(1).raw() == Object.class
                    ? new AnyJson(true, false, rules.length())
                    : new Members(rules);
        }
        if (raw == URI.class) {
            return new Converted(new Text(rules), text -> url(text.toString()), Object::toString, rules.problem());
        }
        if (raw == Instant.class) {
            return new Converted(new Text(rules), text -> instant(text.toString()), Object::toString, rules.problem());
        }
        if (raw == Network.class) {
            return new Converted(
                    new Text(rules), text -> Network.of(text.toString()), Object::toString, rules.problem());
        }
        return raw.isRecord() ? new Nested<>(Document.of(raw.asSubclass(Record.class))) : new Numeric(raw, rules);
    }

    private static Object requireTime(Value time, Object text) {
        if (time.read(text, new ArrayList<>()) == null) {
            throw new IllegalArgumentException("no valid duration");
        }
        return text;
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static Object set(Object list) {
        return Set.copyOf((List<?>) list);
    }

    /** A URL of the web without user, password and fragment. */
    private static URI url(String text) {
        URI url = URI.create(text);
        boolean isWeb = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        if (!isWeb || url.getHost() == null || url.getRawUserInfo() != null || url.getRawFragment() != null) {
            throw new IllegalArgumentException("no URL of the web");
        }
        return url;
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
        if (raw == Set.class) {
            return Set.of();
        }
        if (raw == Map.class) {
            return Map.of();
        }
        if (raw == URI.class) {
            return URI.create("");
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
