package dev.parley.platform.document;

import dev.parley.domain.document.Fault;
import dev.parley.domain.document.Field;
import dev.parley.platform.serde.JavaType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A field of a document.
 *
 * @param first index of its first component
 * @param parts number of components that it fills, one after the other
 * @param fallback value of the component where a document has no value
 */
record DocumentField(
        String name,
        int first,
        int parts,
        boolean required,
        Value value,
        @Nullable Object fallback) {
    private static final String SEPARATOR = "/";

    /** @param ofRecord value of the component in the record's own defaults, or null */
    static DocumentField of(RecordComponent component, int index, JavaType type, @Nullable Object ofRecord) {
        Field rules = component.getAnnotation(Field.class);
        if (rules == null) {
            throw new IllegalStateException(component + " needs @Field or @NotInDocuments");
        }
        Value value = Values.of(type, rules);
        String name = rules.name().isEmpty() ? component.getName() : rules.name();
        return new DocumentField(name, index, 1, rules.required(), value, fallback(type, rules, value, ofRecord));
    }

    private static @Nullable Object fallback(JavaType type, Field rules, Value value, @Nullable Object ofRecord) {
        if (rules.fallback().isEmpty()) {
            return ofRecord != null || rules.required() ? ofRecord : Values.empty(type);
        }
        var faults = new ArrayList<Fault>();
        Object read = value.read(rules.fallback(), faults);
        if (!faults.isEmpty()) {
            throw new IllegalStateException("invalid default " + faults);
        }
        return read;
    }

    /** The same field, which fills one more component. */
    DocumentField withPart() {
        return new DocumentField(name, first, parts + 1, required, value, fallback);
    }

    /** Reads the field into the values of the components. */
    void read(@Nullable Object document, @Nullable Object[] components, List<Fault> faults) {
        var found = new ArrayList<Fault>();
        Object read = document == null ? null : value.read(document, found);
        if (read == null && found.isEmpty() && required) {
            found.add(new Fault("", Fault.MISSING));
        }
        found.stream().map(fault -> fault.at(name)).forEach(faults::add);
        if (parts == 1 || read == null) {
            Arrays.fill(components, first, first + parts, read == null ? fallback : read);
        } else {
            String[] texts = read.toString().split(SEPARATOR, parts);
            System.arraycopy(texts, 0, components, first, texts.length);
        }
    }

    /** What a document has for the values of the components. */
    @Nullable
    Object write(List<@Nullable Object> components) {
        Object value = components.getFirst();
        if (parts == 1 || value == null) {
            return value == null ? null : this.value.write(value);
        }
        return components.stream().map(Objects::toString).collect(Collectors.joining(SEPARATOR));
    }
}
