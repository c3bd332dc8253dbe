package dev.parley.platform.document;

import dev.parley.domain.document.Checked;
import dev.parley.domain.document.Fault;
import dev.parley.domain.document.FaultException;
import dev.parley.domain.document.Field;
import dev.parley.domain.document.Form;
import dev.parley.domain.document.NotInDocuments;
import dev.parley.platform.serde.RecordType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the records of a type as documents: maps, lists, texts, numbers, booleans and null, as any reader of
 * YAML or JSON returns them. Each component is a field unless it is {@link NotInDocuments}; {@link Field} says what is
 * valid. Thread-safe.
 */
public final class Document<T extends Record> {
    private static final ClassValue<Document<?>> TYPES = new ClassValue<>() {
        @Override
        protected Document<?> computeValue(Class<?> type) {
            return new Document<>(type.asSubclass(Record.class));
        }
    };

    private final Class<T> type;
    private final RecordType record;
    private final List<DocumentField> fields;
    /** Components whose fields are fields of this document, by index. */
    private final Map<Integer, Document<?>> inline = new LinkedHashMap<>();

    private final @Nullable Object[] internal;

    private Document(Class<T> type) {
        this.type = type;
        this.record = RecordType.of(type);
        Object defaults = defaults(type);
        RecordComponent[] components = type.getRecordComponents();
        this.internal = new @Nullable Object[components.length];
        var found = new LinkedHashMap<String, DocumentField>();
        for (int i = 0; i < components.length; i++) {
            Field rules = components[i].getAnnotation(Field.class);
            if (components[i].isAnnotationPresent(NotInDocuments.class)) {
                internal[i] = Values.empty(record.componentType(i));
            } else if (rules != null && rules.form() == Form.INLINE) {
                inline.put(i, of(components[i].getType().asSubclass(Record.class)));
            } else {
                Object fallback = defaults == null ? null : record.get(defaults, i);
                var field = DocumentField.of(components[i], i, record.componentType(i), fallback);
                found.merge(field.name(), field, (first, _) -> first.withPart());
            }
        }
        this.fields = List.copyOf(found.values());
    }

    /** The constant {@code DEFAULT} of the type, if there is one. */
    private static @Nullable Object defaults(Class<?> type) {
        try {
            var constant = type.getField("DEFAULT");
            return constant.getType() == type ? constant.get(null) : null;
        } catch (NoSuchFieldException e) {
            return null;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(type.getName() + " must be public to be a document", e);
        }
    }

    /** The documents of a type of record. */
    @SuppressWarnings("unchecked")
    public static <T extends Record> Document<T> of(Class<T> type) {
        return (Document<T>) TYPES.get(type);
    }

    Class<T> type() {
        return type;
    }

    /** The names of the fields, in order. */
    public List<String> names() {
        return Stream.concat(
                        inline.values().stream().flatMap(inner -> inner.names().stream()),
                        fields.stream().map(DocumentField::name))
                .toList();
    }

    /** The fields, in order. */
    List<DocumentField> fields() {
        return fields;
    }

    /**
     * Reads a document.
     *
     * @throws InvalidDocumentException with all faults
     */
    public T read(@Nullable Object document) {
        var faults = new ArrayList<Fault>();
        T value = read(document, faults);
        if (value == null || !faults.isEmpty()) {
            throw new InvalidDocumentException(faults);
        }
        return value;
    }

    /** Reads a document, adds its faults to those found so far, and returns null where there are any. */
    @Nullable
    T read(@Nullable Object document, List<Fault> faults) {
        if (!(document instanceof Map<?, ?> members)) {
            faults.add(new Fault("", "must be an object"));
            return null;
        }
        var found = new ArrayList<>(unknown(members));
        var given = new HashSet<String>();
        @Nullable Object[] values = internal.clone();
        inline.forEach((index, inner) -> {
            var part = new HashMap<Object, @Nullable Object>(members);
            part.keySet().retainAll(inner.names());
            values[index] = inner.read(part, found);
        });
        for (DocumentField field : fields) {
            Object member = members.get(field.name());
            if (member != null) {
                given.add(field.name());
            }
            field.read(member, values, found);
        }
        T value = found.isEmpty() ? create(values, given, found) : null;
        faults.addAll(found);
        return value;
    }

    private List<Fault> unknown(Map<?, ?> members) {
        List<String> names = names();
        return members.keySet().stream()
                .map(String::valueOf)
                .filter(name -> !names.contains(name))
                .map(name -> Fault.unknown(name, names))
                .toList();
    }

    private @Nullable T create(@Nullable Object[] values, Set<String> given, List<Fault> faults) {
        try {
            T value = type.cast(record.create(values));
            if (value instanceof Checked checked) {
                faults.addAll(checked.faults(given));
            }
            return faults.isEmpty() ? value : null;
        } catch (FaultException e) {
            faults.add(e.fault());
        } catch (IllegalArgumentException e) {
            faults.add(new Fault("", "is invalid: " + e.getMessage()));
        }
        return null;
    }

    /** Writes a document: all fields, in order, except for those that the record omits. */
    public Map<String, @Nullable Object> write(T value) {
        Set<String> omitted = value instanceof Checked checked ? checked.omitted() : Set.of();
        var document = new LinkedHashMap<String, @Nullable Object>();
        inline.forEach((index, inner) -> document.putAll(inner.writeComponent(value, record, index)));
        for (DocumentField field : fields) {
            if (!omitted.contains(field.name())) {
                var components = new ArrayList<@Nullable Object>();
                for (int i = field.first(); i < field.first() + field.parts(); i++) {
                    components.add(record.get(value, i));
                }
                document.put(field.name(), field.write(components));
            }
        }
        return document;
    }

    private Map<String, @Nullable Object> writeComponent(Record of, RecordType its, int index) {
        return write(type.cast(Objects.requireNonNull(its.get(of, index))));
    }

    /** The faults of a record that was not read from a document. */
    public List<Fault> faults(T value) {
        var faults = new ArrayList<Fault>();
        read(write(value), faults);
        return faults;
    }
}
