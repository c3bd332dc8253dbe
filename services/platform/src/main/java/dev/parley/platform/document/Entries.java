package dev.parley.platform.document;

import dev.parley.domain.document.Fault;
import dev.parley.domain.document.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lists.
 *
 * @param key the field by which entries differ; empty for texts, which a list has once
 */
record Entries(Value entry, int max, String key) implements Value {
    Entries(Value entry, Field rules) {
        this(entry, rules.entries(), rules.key());
    }

    @Override
    public @Nullable Object read(Object document, List<Fault> faults) {
        if (!(document instanceof List<?> entries) || entries.size() > max) {
            faults.add(new Fault(
                    "", document instanceof List ? "must have at most " + max + " entries" : "must be a list"));
            return null;
        }
        var values = new ArrayList<Object>();
        var keys = new HashSet<Object>();
        for (int i = 0; i < entries.size(); i++) {
            String path = "[" + i + "]";
            Object value = entry(entries.get(i), path, faults);
            Object name = entries.get(i) instanceof Map<?, ?> members ? members.get(key) : null;
            if (value != null && name != null && !keys.add(name)) {
                faults.add(new Fault(path + "." + key, "is in another entry already: '" + name + "'"));
            }
            values.add(value);
        }
        return faults.isEmpty() ? values.stream().distinct().toList() : null;
    }

    private @Nullable Object entry(@Nullable Object document, String path, List<Fault> faults) {
        var found = new ArrayList<Fault>();
        Object value = document == null ? null : entry.read(document, found);
        if (value == null && found.isEmpty()) {
            found.add(new Fault("", Fault.MISSING));
        }
        found.stream().map(fault -> fault.at(path)).forEach(faults::add);
        return value;
    }

    @Override
    public Object write(Object value) {
        return ((List<?>) value).stream().map(entry::write).toList();
    }

    @Override
    public Map<String, Object> schema() {
        return Map.of("type", "array", "items", entry.schema());
    }
}
