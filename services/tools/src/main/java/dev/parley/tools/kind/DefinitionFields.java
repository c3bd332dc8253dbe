package dev.parley.tools.kind;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads the fields of a definition. Invalid fields throw an {@link IllegalArgumentException} that names the field.
 *
 * @param at the path of this object, empty for the root; the prefix of field names
 */
public record DefinitionFields(JsonNode object, String at) {
    /** Default maximum characters of a field. */
    public static final int MAX_LENGTH = 4_000;

    private static final int MAX_ENTRIES = 100;

    public DefinitionFields {
        if (!object.isObject()) {
            throw new IllegalArgumentException((at.isEmpty() ? "the implementation" : at) + " must be an object");
        }
    }

    /** The fields of an implementation; others than these are rejected. */
    public static DefinitionFields of(JsonNode implementation, String... allowed) {
        return new DefinitionFields(implementation, "").only(allowed);
    }

    private DefinitionFields only(String... allowed) {
        object.fieldNames().forEachRemaining(name -> {
            if (!Set.of(allowed).contains(name)) {
                throw new IllegalArgumentException(path(name) + " is unknown; valid fields are "
                        + String.join(", ", new TreeSet<>(List.of(allowed))));
            }
        });
        return this;
    }

    /** The path of a field. */
    public String path(String name) {
        return at.isEmpty() ? name : at + "." + name;
    }

    /** Whether a field is present and not null. */
    public boolean has(String name) {
        return object.hasNonNull(name);
    }

    /** A required text. */
    public String text(String name) {
        return text(name, MAX_LENGTH);
    }

    /**
     * A required text.
     *
     * @param max its maximum characters
     */
    public String text(String name, int max) {
        return find(name, max).orElseThrow(() -> new IllegalArgumentException(path(name) + " is missing"));
    }

    /** An optional text. */
    public Optional<String> find(String name) {
        return find(name, MAX_LENGTH);
    }

    private Optional<String> find(String name, int max) {
        if (!has(name)) {
            return Optional.empty();
        }
        JsonNode value = object.get(name);
        if (!value.isTextual() || value.asText().isBlank() || value.asText().length() > max) {
            throw new IllegalArgumentException(path(name) + " is a text of at most " + max + " characters");
        }
        return Optional.of(value.asText());
    }

    /** An optional integer. */
    public int number(String name, int min, int max, int fallback) {
        if (!has(name)) {
            return fallback;
        }
        JsonNode value = object.get(name);
        if (!value.canConvertToInt() || !value.isIntegralNumber() || value.intValue() < min || value.intValue() > max) {
            throw new IllegalArgumentException("%s is a whole number from %d to %d".formatted(path(name), min, max));
        }
        return value.intValue();
    }

    /** An optional object; other fields than these are rejected. */
    public Optional<DefinitionFields> object(String name, String... allowed) {
        return has(name)
                ? Optional.of(new DefinitionFields(object.get(name), path(name)).only(allowed))
                : Optional.empty();
    }

    /** An optional map of texts, in order; empty if it is missing. */
    public Map<String, String> texts(String name) {
        var texts = new LinkedHashMap<String, String>();
        if (has(name)) {
            var map = new DefinitionFields(object.get(name), path(name));
            checkSize(map.object, name);
            map.object.fieldNames().forEachRemaining(key -> texts.put(key, map.text(key)));
        }
        return texts;
    }

    /** An optional list of texts; empty if it is missing. */
    public List<String> list(String name) {
        if (!has(name)) {
            return List.of();
        }
        JsonNode list = object.get(name);
        if (!list.isArray()) {
            throw new IllegalArgumentException(path(name) + " is a list of texts");
        }
        checkSize(list, name);
        return list.valueStream().map(value -> listEntry(name, value)).toList();
    }

    private String listEntry(String name, JsonNode value) {
        if (!value.isTextual() || value.asText().length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    path(name) + " is a list of texts of at most " + MAX_LENGTH + " characters");
        }
        return value.asText();
    }

    private void checkSize(JsonNode container, String name) {
        if (container.size() > MAX_ENTRIES) {
            throw new IllegalArgumentException(path(name) + " has at most " + MAX_ENTRIES + " entries");
        }
    }
}
