package dev.parley.tools.kind;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * Reads the fields of a definition. Whatever is wrong is an {@link IllegalArgumentException} that names the field.
 *
 * @param at the path of this object, empty for the whole; goes before the names of fields
 */
public record Fields(JsonNode object, String at) {
    /** Most characters of a field, unless said otherwise. */
    public static final int LONGEST = 4_000;

    private static final int MOST_ENTRIES = 100;

    public Fields {
        if (!object.isObject()) {
            throw new IllegalArgumentException((at.isEmpty() ? "the implementation" : at) + " is an object");
        }
    }

    /** The fields of an implementation, of which only these are known. */
    public static Fields of(JsonNode implementation, String... known) {
        return new Fields(implementation, "").only(known);
    }

    private Fields only(String... known) {
        for (String name : object.propertyNames()) {
            if (!Set.of(known).contains(name)) {
                throw new IllegalArgumentException(path(name) + " is not known; known here are "
                        + String.join(", ", new TreeSet<>(List.of(known))));
            }
        }
        return this;
    }

    /** The path of a field. */
    public String path(String name) {
        return at.isEmpty() ? name : at + "." + name;
    }

    /** Whether a field is there and not null. */
    public boolean has(String name) {
        return object.hasNonNull(name);
    }

    /** A text that has to be there. */
    public String text(String name) {
        return text(name, LONGEST);
    }

    /** A text that has to be there. @param most its most characters */
    public String text(String name, int most) {
        return find(name, most).orElseThrow(() -> new IllegalArgumentException(path(name) + " is missing"));
    }

    /** A text that may be there. */
    public Optional<String> find(String name) {
        return find(name, LONGEST);
    }

    private Optional<String> find(String name, int most) {
        if (!has(name)) {
            return Optional.empty();
        }
        JsonNode value = object.get(name);
        if (!value.isString() || value.asString().isBlank() || value.asString().length() > most) {
            throw new IllegalArgumentException(path(name) + " is a text of at most " + most + " characters");
        }
        return Optional.of(value.asString());
    }

    /** A whole number that may be there. */
    public int number(String name, int least, int most, int fallback) {
        if (!has(name)) {
            return fallback;
        }
        JsonNode value = object.get(name);
        if (!value.canConvertToInt()
                || !value.isIntegralNumber()
                || value.intValue() < least
                || value.intValue() > most) {
            throw new IllegalArgumentException("%s is a whole number from %d to %d".formatted(path(name), least, most));
        }
        return value.intValue();
    }

    /** An object that may be there, of which only these fields are known. */
    public Optional<Fields> object(String name, String... known) {
        return has(name) ? Optional.of(new Fields(object.get(name), path(name)).only(known)) : Optional.empty();
    }

    /** Texts by name, in the order in which they are written; none where the field is missing. */
    public Map<String, String> texts(String name) {
        var texts = new LinkedHashMap<String, String>();
        if (has(name)) {
            var map = new Fields(object.get(name), path(name));
            bounded(map.object, name);
            map.object.propertyNames().forEach(key -> texts.put(key, map.text(key)));
        }
        return texts;
    }

    /** A list of texts; empty where the field is missing. */
    public List<String> list(String name) {
        if (!has(name)) {
            return List.of();
        }
        JsonNode list = object.get(name);
        if (!list.isArray()) {
            throw new IllegalArgumentException(path(name) + " is a list of texts");
        }
        bounded(list, name);
        return list.valueStream().map(value -> listed(name, value)).toList();
    }

    private String listed(String name, JsonNode value) {
        if (!value.isString() || value.asString().length() > LONGEST) {
            throw new IllegalArgumentException(
                    path(name) + " is a list of texts of at most " + LONGEST + " characters");
        }
        return value.asString();
    }

    private void bounded(JsonNode container, String name) {
        if (container.size() > MOST_ENTRIES) {
            throw new IllegalArgumentException(path(name) + " has at most " + MOST_ENTRIES + " entries");
        }
    }
}
