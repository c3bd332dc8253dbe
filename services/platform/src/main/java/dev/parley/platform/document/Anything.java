package dev.parley.platform.document;

import dev.parley.domain.document.Fault;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values of any type.
 *
 * @param length maximum characters as JSON
 */
record Anything(int length) implements Value {
    @Override
    public @Nullable Object read(Object document, List<Fault> faults) {
        return AnyObject.text(document, length, faults) == null ? null : document;
    }

    @Override
    public Object write(Object value) {
        return value;
    }

    @Override
    public Map<String, Object> schema() {
        return Map.of();
    }
}
