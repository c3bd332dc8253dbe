package dev.parley.platform.document;

import dev.parley.domain.document.Fault;
import dev.parley.domain.document.Field;
import dev.parley.domain.document.Form;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Maps of texts.
 *
 * @param names pattern of the names, or null for any
 * @param problem of a name that does not match it
 */
record Members(Text text, int max, @Nullable Pattern names, String problem) implements Value {
    Members(Field rules) {
        this(
                new Text(Form.VERBATIM, rules.length(), null, ""),
                rules.entries(),
                rules.pattern().isEmpty() ? null : Pattern.compile(rules.pattern()),
                rules.problem());
    }

    @Override
    public @Nullable Object read(Object document, List<Fault> faults) {
        if (!(document instanceof Map<?, ?> members) || members.size() > max) {
            faults.add(new Fault(
                    "", document instanceof Map ? "must have at most " + max + " entries" : "must be an object"));
            return null;
        }
        var values = new LinkedHashMap<String, Object>();
        members.forEach((key, member) -> {
            String name = String.valueOf(key);
            var found = new ArrayList<Fault>();
            Object value = member(name, member, found);
            if (value != null) {
                values.put(name, value);
            }
            found.stream().map(fault -> fault.at(name)).forEach(faults::add);
        });
        return faults.isEmpty() ? values : null;
    }

    private @Nullable Object member(String name, @Nullable Object member, List<Fault> faults) {
        if (names != null && !names.matcher(name).matches()) {
            faults.add(new Fault("", problem));
        }
        return text.read(member == null ? List.of() : member, faults); // null is no text
    }

    @Override
    public Object write(Object value) {
        return value;
    }

    @Override
    public Map<String, Object> schema() {
        return Map.of("type", "object", "additionalProperties", text.schema());
    }
}
