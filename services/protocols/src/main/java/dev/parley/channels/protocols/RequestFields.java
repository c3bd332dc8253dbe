package dev.parley.channels.protocols;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a request object. Unknown ones are ignored, because clients may be newer.
 *
 * @param path prefix of field names in errors, such as {@code messages[0].}
 */
public record RequestFields(JsonNode json, String path) {
    /** The fields of a body. */
    public static RequestFields of(JsonNode body) {
        return new RequestFields(body, "");
    }

    /** Whether the field is present and not null. */
    public boolean has(String name) {
        return json.hasNonNull(name);
    }

    public JsonNode get(String name) {
        return json.path(name);
    }

    public String param(String name) {
        return path + name;
    }

    public @Nullable String text(String name) {
        if (!has(name)) {
            return null;
        }
        if (!get(name).isTextual()) {
            throw invalid(name, "a string");
        }
        return get(name).textValue();
    }

    public String requireText(String name) {
        String text = text(name);
        if (text == null || text.isEmpty()) {
            throw ProtocolException.missing(param(name));
        }
        return text;
    }

    public boolean flag(String name) {
        if (!has(name)) {
            return false;
        }
        if (!get(name).isBoolean()) {
            throw invalid(name, "a boolean");
        }
        return get(name).booleanValue();
    }

    public @Nullable Double number(String name, double minimum, double maximum) {
        if (!has(name)) {
            return null;
        }
        double value = get(name).isNumber() ? get(name).doubleValue() : Double.NaN;
        if (!(value >= minimum && value <= maximum)) {
            throw invalid(name, "a number from %s to %s".formatted(formatNumber(minimum), formatNumber(maximum)));
        }
        return value;
    }

    public @Nullable Integer integer(String name, int minimum) {
        if (!has(name)) {
            return null;
        }
        if (!get(name).isIntegralNumber()
                || !get(name).canConvertToInt()
                || get(name).intValue() < minimum) {
            throw invalid(name, "an integer of at least " + minimum);
        }
        return get(name).intValue();
    }

    /** An object, empty where it is missing. */
    public RequestFields object(String name) {
        if (has(name) && !get(name).isObject()) {
            throw invalid(name, "an object");
        }
        return new RequestFields(get(name), path + name + ".");
    }

    /** The objects of a list, empty where it is missing. */
    public List<RequestFields> objects(String name) {
        if (has(name) && !get(name).isArray()) {
            throw invalid(name, "an array");
        }
        var objects = new ArrayList<RequestFields>();
        for (JsonNode element : get(name)) {
            String location = path + name + "[" + objects.size() + "]";
            if (!element.isObject()) {
                throw ProtocolException.invalid(location, "Invalid '%s': an object is expected.".formatted(location));
            }
            objects.add(new RequestFields(element, location + "."));
        }
        return objects;
    }

    public ProtocolException invalid(String name, String expected) {
        return ProtocolException.invalid(param(name), "Invalid '%s': %s is expected.".formatted(param(name), expected));
    }

    private static String formatNumber(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
