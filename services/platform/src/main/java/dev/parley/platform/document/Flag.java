package dev.parley.platform.document;

import dev.parley.domain.document.Fault;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** True and false. */
record Flag() implements Value {
    @Override
    public @Nullable Object read(Object document, List<Fault> faults) {
        String text = Text.scalar(document);
        if ("true".equals(text) || "false".equals(text)) {
            return Boolean.valueOf(text);
        }
        faults.add(new Fault("", "must be true or false"));
        return null;
    }

    @Override
    public Object write(Object value) {
        return value;
    }

    @Override
    public Map<String, Object> schema() {
        return Map.of("type", "boolean");
    }
}
