package dev.parley.platform.testkit;

import dev.parley.domain.document.Field;
import dev.parley.domain.document.Form;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Documents with one invalid field each: of the wrong type, too long, out of bounds, of the wrong form, missing, or
 * unknown. They are derived from the annotations of a record, so that a new field is tested at all borders.
 */
public final class InvalidDocuments {
    private static final String CONTROL = "\u0001";

    private final List<Invalid> found = new ArrayList<>();
    private final Map<String, Object> valid;

    private InvalidDocuments(Map<String, Object> valid) {
        this.valid = valid;
    }

    /** @param field path of the invalid field, with the index of its first entry in lists */
    public record Invalid(String field, Map<String, @Nullable Object> document) {
        @Override
        public String toString() {
            String text = String.valueOf(document);
            return field + " in " + text.substring(0, Math.min(300, text.length()));
        }
    }

    /** @param valid a document in which each list has an entry */
    public static Stream<Invalid> of(Class<? extends Record> type, Map<String, Object> valid) {
        var documents = new InvalidDocuments(valid);
        documents.walk("", type, valid);
        return documents.found.stream();
    }

    private void walk(String prefix, Class<?> type, Map<?, ?> document) {
        add(prefix + "unheardOf", "x");
        fields(prefix, type, document);
    }

    private void fields(String prefix, Class<?> type, Map<?, ?> document) {
        for (RecordComponent component : type.getRecordComponents()) {
            Field rules = component.getAnnotation(Field.class);
            String name = rules == null || rules.name().isEmpty() ? component.getName() : rules.name();
            if (rules != null && rules.form() == Form.INLINE) {
                fields(prefix, component.getType(), document);
            } else if (rules != null && document.containsKey(name)) {
                field(prefix + name, component.getGenericType(), rules, document.get(name));
            }
        }
    }

    private void field(String path, Type type, Field rules, Object value) {
        if (type != Object.class) {
            add(path, value instanceof List || value instanceof Map ? "x" : List.of("x"));
        }
        if (rules.required()) {
            add(path, null);
        }
        if (type == Duration.class) {
            add(path, rules.max() + 1 + "s");
        } else {
            if (rules.min() > Long.MIN_VALUE) {
                add(path, rules.min() - 1);
            }
            if (rules.max() < Long.MAX_VALUE) {
                add(path, rules.max() + 1);
            }
        }
        if (rules.entries() < Integer.MAX_VALUE) {
            add(path, many(value, rules.entries() + 1));
        }
        if (type == Object.class) {
            add(path, "\u0000");
        } else if (value instanceof String) {
            texts(path, path, rules, text -> text);
        } else if (value instanceof List<?> list && list.getFirst() instanceof String) {
            texts(path + "[0]", path, rules, List::of);
        } else if (value instanceof Map<?, ?> map && value(type) == String.class) {
            String key = String.valueOf(map.keySet().iterator().next());
            texts(path + "." + key, path, rules, text -> Map.of(key, text));
        }
        if (value(type) == Object.class && rules.length() < Integer.MAX_VALUE) {
            add(path, Map.of("a", "1".repeat(rules.length())));
        }
        if (value instanceof Map<?, ?> nested && type instanceof Class<?> record && record.isRecord()) {
            walk(path + ".", record, nested);
        } else if (value instanceof List<?> list
                && list.getFirst() instanceof Map<?, ?> nested
                && value(type) instanceof Class<?> record
                && record.isRecord()) {
            walk(path + "[0].", record, nested);
        }
    }

    /** The type of the entries of a list, or of the values of a map; null for other types. */
    private static @Nullable Type value(Type type) {
        return type instanceof ParameterizedType generic
                ? generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1]
                : null;
    }

    /** Texts that are too long, and texts with a character that none may have. */
    private void texts(String path, String at, Field rules, Function<String, Object> inside) {
        if (rules.length() < Integer.MAX_VALUE) {
            add(path, at, inside.apply("1".repeat(rules.length() + 1)));
        }
        add(path, at, inside.apply("1" + CONTROL));
    }

    private static Object many(Object value, int count) {
        if (value instanceof Map<?, ?> map) {
            var many = new LinkedHashMap<String, Object>();
            for (int i = 0; i < count; i++) {
                many.put("k" + i, map.values().iterator().next());
            }
            return many;
        }
        return new ArrayList<>(Collections.nCopies(count, ((List<?>) value).getFirst()));
    }

    private void add(String path, @Nullable Object value) {
        add(path, path, value);
    }

    /** @param at the path that gets the value */
    private void add(String path, String at, @Nullable Object value) {
        found.add(new Invalid(path, with(valid, at, value)));
    }

    /** A document with another value at a path. */
    @SuppressWarnings("unchecked")
    public static Map<String, @Nullable Object> with(Map<String, ?> document, String path, @Nullable Object value) {
        var changed = new LinkedHashMap<String, @Nullable Object>(document);
        String[] names = path.split("\\.", 2);
        String name = names[0].replaceFirst("\\[0]$", "");
        if (names.length == 1) {
            changed.put(name, value);
        } else if (names[0].equals(name)) {
            changed.put(name, with((Map<String, ?>) document.get(name), names[1], value));
        } else {
            var list = new ArrayList<Object>((List<Object>) document.get(name));
            list.set(0, with((Map<String, ?>) list.getFirst(), names[1], value));
            changed.put(name, list);
        }
        return changed;
    }
}
