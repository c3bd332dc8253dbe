package dev.parley.platform.serde;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.AvroTypeException;
import org.apache.avro.Resolver;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * Compiles readers of Java types for values that were written with another version of their schema: the schema
 * resolution of Avro with its promotions, defaults and skipped fields, done once instead of for every record.
 */
final class Readers {
    private final IdentityHashMap<Resolver.Action, ValueReader> records = new IdentityHashMap<>();

    private Readers() {}

    /**
     * @param writer the schema that the bytes were written with
     * @param reader the current schema, which {@link Writers} has checked against the type
     */
    static ValueReader compile(Schema writer, Schema reader, JavaType type) {
        Schema aliased = Schema.applyAliases(writer, reader);
        return new Readers().compile(Resolver.resolve(aliased, reader, GenericData.get()), type);
    }

    private ValueReader compile(Resolver.Action action, JavaType type) {
        return switch (action.type) {
            case DO_NOTHING, PROMOTE -> scalar(action, type);
            case RECORD -> record((Resolver.RecordAdjust) action, type);
            case ENUM -> enumeration((Resolver.EnumAdjust) action, type);
            case CONTAINER -> container((Resolver.Container) action, type);
            case WRITER_UNION -> writerUnion((Resolver.WriterUnion) action, type);
            case READER_UNION -> compile(((Resolver.ReaderUnion) action).actualAction, type);
            case SKIP -> skipping(action.writer);
            case ERROR ->
                in -> {
                    throw new AvroTypeException(action.toString());
                };
        };
    }

    private static ValueReader skipping(Schema schema) {
        return in -> {
            GenericDatumReader.skip(schema, in);
            return null;
        };
    }

    private static ValueReader scalar(Resolver.Action action, JavaType type) {
        Scalar scalar = Scalar.of(type.raw());
        if (action.reader.getType() == Schema.Type.NULL || scalar == null) {
            return in -> {
                in.readNull();
                return null;
            };
        }
        return scalar.reader(action.writer.getType());
    }

    private ValueReader record(Resolver.RecordAdjust action, JavaType type) {
        ValueReader reader = records.get(action);
        if (reader == null) {
            reader = fields(action, RecordType.of(leaf(type, action.reader.getName())));
            records.put(action, reader);
        }
        return reader;
    }

    private static Class<?> leaf(JavaType type, String name) {
        return type.leaves().stream()
                .filter(leaf -> SchemaNames.of(leaf).equals(name))
                .findFirst()
                .orElseThrow();
    }

    private ValueReader fields(Resolver.RecordAdjust action, RecordType type) {
        var readers = new ValueReader[action.fieldActions.length];
        int[] components = new int[readers.length]; // the index behind the last one denotes skipped fields
        int present = 0;
        for (int i = 0; i < readers.length; i++) {
            boolean skipped = action.fieldActions[i].type == Resolver.Action.Type.SKIP;
            components[i] = skipped ? type.names().size() : component(type, action.readerOrder[present++]);
            JavaType part = skipped ? JavaType.of(Object.class) : type.componentType(components[i]);
            readers[i] = compile(action.fieldActions[i], part);
        }
        @Nullable Object[] defaults = defaults(action, type);
        return in -> {
            @Nullable Object[] values = defaults.clone();
            for (int i = 0; i < readers.length; i++) {
                Object value = readers[i].read(in);
                if (components[i] < values.length) {
                    values[components[i]] = value;
                }
            }
            return type.create(values);
        };
    }

    private static int component(RecordType type, Schema.Field field) {
        return type.names().indexOf(field.name());
    }

    /** Default values of the fields that the writer did not have. */
    private static @Nullable Object[] defaults(Resolver.RecordAdjust action, RecordType type) {
        @Nullable Object[] values = new Object[type.names().size()];
        for (int i = action.firstDefault; i < action.readerOrder.length; i++) {
            int component = component(type, action.readerOrder[i]);
            values[component] = defaultOf(action.readerOrder[i], type.componentType(component));
        }
        return values;
    }

    private static @Nullable Object defaultOf(Schema.Field field, JavaType type) {
        try {
            var bytes = new ByteArrayOutputStream();
            var encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
            new GenericDatumWriter<>(field.schema()).write(GenericData.get().getDefaultValue(field), encoder);
            var decoder = DecoderFactory.get().binaryDecoder(bytes.toByteArray(), null);
            return compile(field.schema(), field.schema(), type).read(decoder);
        } catch (IOException e) {
            throw new IllegalStateException("bytes in memory cannot fail", e);
        }
    }

    private static ValueReader enumeration(Resolver.EnumAdjust action, JavaType type) {
        var byName = new HashMap<String, Object>();
        Stream.of(type.raw().getEnumConstants()).forEach(constant -> byName.put(((Enum<?>) constant).name(), constant));
        List<String> read = action.reader.getEnumSymbols();
        @Nullable Object[] constants = new Object[action.adjustments.length];
        for (int i = 0; i < constants.length; i++) {
            int symbol = action.adjustments[i];
            constants[i] = symbol < 0 ? null : byName.get(read.get(symbol));
        }
        return in -> {
            int symbol = in.readEnum();
            if (symbol < 0 || symbol >= constants.length || constants[symbol] == null) {
                throw new AvroTypeException(
                        "symbol " + symbol + " of " + action.writer.getFullName() + " is not known");
            }
            return constants[symbol];
        };
    }

    private ValueReader container(Resolver.Container action, JavaType type) {
        boolean isList = action.reader.getType() == Schema.Type.ARRAY;
        ValueReader element = compile(action.elementAction, type.argument(isList ? 0 : 1));
        return isList ? list(element) : map(element);
    }

    private static ValueReader list(ValueReader element) {
        return in -> {
            long count = in.readArrayStart();
            if (count == 0) {
                return List.of();
            }
            var items = new ArrayList<@Nullable Object>();
            for (; count != 0; count = in.arrayNext()) {
                for (long i = 0; i < count; i++) {
                    items.add(element.read(in));
                }
            }
            return List.of(items.toArray());
        };
    }

    private static ValueReader map(ValueReader element) {
        return in -> {
            var items = new HashMap<String, @Nullable Object>();
            for (long count = in.readMapStart(); count != 0; count = in.mapNext()) {
                for (long i = 0; i < count; i++) {
                    items.put(in.readString(), element.read(in));
                }
            }
            return Map.copyOf(items);
        };
    }

    private ValueReader writerUnion(Resolver.WriterUnion action, JavaType type) {
        var branches = new ValueReader[action.actions.length];
        for (int i = 0; i < branches.length; i++) {
            branches[i] = compile(action.actions[i], type);
        }
        return in -> {
            int branch = in.readIndex();
            if (branch < 0 || branch >= branches.length) {
                throw new AvroTypeException("there is no branch " + branch + " in " + action.writer);
            }
            return branches[branch].read(in);
        };
    }
}
