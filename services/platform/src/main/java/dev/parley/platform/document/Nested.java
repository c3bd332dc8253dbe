package dev.parley.platform.document;

import dev.parley.domain.document.Fault;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Records in a document. */
record Nested<T extends Record>(Document<T> document) implements Value {
    @Override
    public @Nullable Object read(Object value, List<Fault> faults) {
        return document.read(value, faults);
    }

    @Override
    public Object write(Object value) {
        return document.write(document.type().cast(value));
    }

    @Override
    public Map<String, Object> schema() {
        return Map.of("$ref", DocumentSchemas.REFERENCE + document.type().getSimpleName());
    }
}
