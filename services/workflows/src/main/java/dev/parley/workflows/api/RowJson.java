package dev.parley.workflows.api;

import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.beans.BeanProperty;
import java.util.LinkedHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rows as JSON: their properties, in order. */
final class RowJson {
    /** Properties whose text is JSON. */
    private static final Set<String> DATA = Set.of("input", "context", "output", "error", "business", "question");

    private RowJson() {}

    /** An object with the names and values of the properties of a row. */
    @SuppressWarnings("unchecked") // the class of an object has its type
    static <T> Json of(T row) {
        var json = new LinkedHashMap<String, Json>();
        for (BeanProperty<T, Object> property :
                BeanIntrospection.getIntrospection((Class<T>) row.getClass()).getBeanProperties()) {
            json.put(property.getName(), value(property.getName(), property.get(row)));
        }
        return Json.of(json);
    }

    private static Json value(String name, @Nullable Object value) {
        return switch (value) {
            case String text when DATA.contains(name) -> JsonText.read(text);
            case Number number -> Json.of(number.longValue());
            case null, default -> Json.textOf(value);
        };
    }
}
