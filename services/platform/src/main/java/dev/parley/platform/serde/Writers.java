package dev.parley.platform.serde;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.LogicalType;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;
import org.apache.kafka.common.errors.SerializationException;

/**
 * Compiles writers of Java types, and checks that type and schema correspond: components with fields, records with
 * branches, constants with symbols.
 */
final class Writers {
    private final Map<Class<?>, ValueWriter> records = new HashMap<>();

    /** @throws IllegalStateException if type and schema differ, naming the path and the difference */
    ValueWriter compile(Schema schema, JavaType type, String path) {
        if (schema.getType() == Schema.Type.UNION) {
            return union(schema, type, path);
        }
        check(!type.nullable(), path, "may be null in " + type + ", but not in the schema");
        Scalar scalar = Scalar.of(type.raw());
        if (scalar != null) {
            check(fits(scalar, schema), path, "a " + type + " cannot be written as " + schema);
            return scalar.writer();
        }
        return switch (schema.getType()) {
            case RECORD -> record(schema, type, path);
            case ENUM -> enumeration(schema, type, path);
            case ARRAY -> list(schema, type, path);
            case MAP -> map(schema, type, path);
            default -> throw differs(path, "a " + type + " cannot be written as " + schema);
        };
    }

    private static boolean fits(Scalar scalar, Schema schema) {
        LogicalType logical = schema.getLogicalType();
        String name = logical == null ? null : logical.getName();
        return schema.getType() == scalar.avro() && Objects.equals(scalar.logicalType(), name);
    }

    private ValueWriter record(Schema schema, JavaType type, String path) {
        check(
                SchemaNames.of(type.raw()).equals(schema.getName()),
                path,
                type + " and the schema " + schema.getFullName() + " have different names");
        ValueWriter writer = records.get(type.raw());
        if (writer == null) {
            writer = fields(schema, RecordType.of(type.raw()), path);
            records.put(type.raw(), writer);
        }
        return writer;
    }

    private ValueWriter fields(Schema schema, RecordType type, String path) {
        List<Schema.Field> fields = schema.getFields();
        checkSame(type.names(), fields.stream().map(Schema.Field::name), path, "component", "field");
        int[] components = fields.stream()
                .mapToInt(field -> type.names().indexOf(field.name()))
                .toArray();
        var writers = new ValueWriter[components.length];
        for (int i = 0; i < components.length; i++) {
            String fieldPath = path + "." + fields.get(i).name();
            writers[i] = compile(fields.get(i).schema(), type.componentType(components[i]), fieldPath);
        }
        return (value, out) -> {
            for (int i = 0; i < writers.length; i++) {
                Object part = type.get(value, components[i]);
                if (part == null && !type.componentType(components[i]).nullable()) {
                    throw new SerializationException(path + "." + fields.get(i).name() + " is null");
                }
                writers[i].writeNullable(part, out);
            }
        };
    }

    private static ValueWriter enumeration(Schema schema, JavaType type, String path) {
        check(type.raw().isEnum(), path, "a " + type + " cannot be written as the enum " + schema.getFullName());
        check(
                SchemaNames.of(type.raw()).equals(schema.getName()),
                path,
                type + " and the enum " + schema.getFullName() + " have different names");
        List<String> constants = Stream.of(type.raw().getEnumConstants())
                .map(c -> ((Enum<?>) c).name())
                .toList();
        checkSame(constants, schema.getEnumSymbols().stream(), path, "constant", "symbol");
        int[] symbols = constants.stream().mapToInt(schema::getEnumOrdinal).toArray();
        return (value, out) -> out.writeEnum(symbols[((Enum<?>) value).ordinal()]);
    }

    private ValueWriter list(Schema schema, JavaType type, String path) {
        check(type.raw() == List.class, path, "a " + type + " cannot be written as an array");
        ValueWriter element = compile(schema.getElementType(), type.argument(0), path + "[]");
        return (value, out) -> {
            var list = (List<?>) value;
            out.writeArrayStart();
            out.setItemCount(list.size());
            for (Object item : list) {
                out.startItem();
                element.writeNullable(item, out);
            }
            out.writeArrayEnd();
        };
    }

    /** Sorted by key, so that equal records have equal bytes. */
    private ValueWriter map(Schema schema, JavaType type, String path) {
        check(
                type.raw() == Map.class && type.argument(0).raw() == String.class,
                path,
                "a " + type + " cannot be written as a map");
        ValueWriter element = compile(schema.getValueType(), type.argument(1), path + "{}");
        return (value, out) -> {
            var map = (Map<?, ?>) value;
            out.writeMapStart();
            out.setItemCount(map.size());
            for (Map.Entry<?, ?> entry : (map.size() < 2 ? map : new TreeMap<>(map)).entrySet()) {
                out.startItem();
                out.writeString((String) entry.getKey());
                element.writeNullable(entry.getValue(), out);
            }
            out.writeMapEnd();
        };
    }

    private ValueWriter union(Schema schema, JavaType type, String path) {
        List<Schema> branches = schema.getTypes();
        int nullIndex = IntStream.range(0, branches.size())
                .filter(i -> branches.get(i).getType() == Schema.Type.NULL)
                .findFirst()
                .orElse(-1);
        check(type.nullable() == (nullIndex >= 0), path, "only one of " + type + " and its schema may be null");
        ValueWriter present =
                type.raw().isSealed() ? alternatives(branches, type, path) : single(branches, type.present(), path);
        return nullIndex < 0 ? present : new OrNull(present, nullIndex);
    }

    private record OrNull(ValueWriter present, int nullIndex) implements ValueWriter {
        @Override
        public void write(Object value, Encoder out) throws IOException {
            present.write(value, out);
        }

        @Override
        public void writeNull(Encoder out) throws IOException {
            out.writeIndex(nullIndex);
            out.writeNull();
        }
    }

    private ValueWriter single(List<Schema> branches, JavaType type, String path) {
        int index = branches.getFirst().getType() == Schema.Type.NULL ? branches.size() - 1 : 0;
        check(branches.size() <= 2, path, "a " + type + " cannot be written as a union of " + branches.size());
        ValueWriter writer = compile(branches.get(index), type, path);
        return (value, out) -> {
            out.writeIndex(index);
            writer.write(value, out);
        };
    }

    private record Alternative(int index, ValueWriter writer) {}

    private ValueWriter alternatives(List<Schema> branches, JavaType type, String path) {
        var leaves = type.leaves();
        var present = branches.stream().filter(branch -> branch.getType() != Schema.Type.NULL);
        checkSame(
                leaves.stream().map(SchemaNames::of).toList(), present.map(Schema::getName), path, "record", "branch");
        var names = branches.stream().map(Schema::getName).toList();
        var byClass = new HashMap<Class<?>, Alternative>();
        for (Class<?> leaf : leaves) {
            int index = names.indexOf(SchemaNames.of(leaf));
            var writer = compile(branches.get(index), JavaType.of(leaf), path + ":" + leaf.getSimpleName());
            byClass.put(leaf, new Alternative(index, writer));
        }
        return (value, out) -> {
            Alternative alternative =
                    Objects.requireNonNull(byClass.get(value.getClass()), "every alternative is known");
            out.writeIndex(alternative.index());
            alternative.writer().write(value, out);
        };
    }

    private static void checkSame(
            List<String> java, Stream<String> avro, String path, String javaWord, String avroWord) {
        Set<String> avroNames = avro.collect(Collectors.toSet());
        Set<String> javaNames = new HashSet<>(java);
        var missing = java.stream().filter(name -> !avroNames.contains(name)).toList();
        var unused = avroNames.stream()
                .filter(name -> !javaNames.contains(name))
                .sorted()
                .toList();
        check(missing.isEmpty(), path, "the schema has no " + avroWord + " for the " + javaWord + " " + missing);
        check(unused.isEmpty(), path, "there is no " + javaWord + " for the schema's " + avroWord + " " + unused);
    }

    private static void check(boolean condition, String path, String difference) {
        if (!condition) {
            throw differs(path, difference);
        }
    }

    private static IllegalStateException differs(String path, String difference) {
        return new IllegalStateException("code and schema differ at " + path + ": " + difference);
    }
}
