package dev.parley.platform.document;

import dev.parley.domain.document.Fault;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Values that documents write as another value: a URL as its text, a set as a list.
 *
 * @param from throws an {@link IllegalArgumentException} for what has no value
 * @param problem of such a document
 */
record Converted(Value written, UnaryOperator<Object> from, UnaryOperator<Object> to, String problem) implements Value {
    @Override
    public @Nullable Object read(Object document, List<Fault> faults) {
        Object value = written.read(document, faults);
        try {
            return value == null ? null : from.apply(value);
        } catch (IllegalArgumentException e) {
            faults.add(new Fault("", problem));
            return null;
        }
    }

    @Override
    public Object write(Object value) {
        return written.write(to.apply(value));
    }

    @Override
    public Map<String, Object> schema() {
        return written.schema();
    }
}
