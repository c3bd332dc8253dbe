package dev.parley.platform.serde;

import dev.parley.domain.bank.Vector;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.apache.avro.Schema;
import org.apache.avro.io.Decoder;
import org.jspecify.annotations.Nullable;

/**
 * A Java type that is mapped to a primitive Avro type. Instants are truncated to microseconds, durations to
 * milliseconds.
 *
 * @param avro the Avro type
 * @param logicalType its logical type, or null
 * @param fromAvro converts a decoded String, Integer, Long, Double, Boolean or ByteBuffer to the Java value
 */
record Scalar(Schema.Type avro, @Nullable String logicalType, ValueWriter writer, UnaryOperator<Object> fromAvro) {
    private static final long MICROS = 1_000_000;

    private static final Scalar BOOLEAN = plain(Schema.Type.BOOLEAN, (value, out) -> out.writeBoolean((Boolean) value));
    private static final Scalar INT = plain(Schema.Type.INT, (value, out) -> out.writeInt((Integer) value));
    private static final Scalar LONG = plain(Schema.Type.LONG, (value, out) -> out.writeLong((Long) value));
    private static final Scalar DOUBLE = plain(Schema.Type.DOUBLE, (value, out) -> out.writeDouble((Double) value));

    private static final Map<Class<?>, Scalar> KNOWN = Map.ofEntries(
            Map.entry(boolean.class, BOOLEAN),
            Map.entry(Boolean.class, BOOLEAN),
            Map.entry(int.class, INT),
            Map.entry(Integer.class, INT),
            Map.entry(long.class, LONG),
            Map.entry(Long.class, LONG),
            Map.entry(double.class, DOUBLE),
            Map.entry(Double.class, DOUBLE),
            Map.entry(String.class, plain(Schema.Type.STRING, (value, out) -> out.writeString((String) value))),
            Map.entry(UUID.class, text("uuid", text -> UUID.fromString((String) text))),
            Map.entry(
                    Vector.class,
                    new Scalar(
                            Schema.Type.BYTES,
                            null,
                            (value, out) -> out.writeBytes(((Vector) value).bytes()),
                            bytes -> Vector.of((ByteBuffer) bytes))),
            Map.entry(
                    Instant.class,
                    new Scalar(
                            Schema.Type.LONG,
                            "timestamp-micros",
                            (value, out) -> out.writeLong(micros((Instant) value)),
                            micros -> instant((Long) micros))),
            Map.entry(
                    Duration.class,
                    new Scalar(
                            Schema.Type.LONG,
                            null,
                            (value, out) -> out.writeLong(((Duration) value).toMillis()),
                            millis -> Duration.ofMillis((Long) millis))));

    private static Scalar plain(Schema.Type avro, ValueWriter writer) {
        return new Scalar(avro, null, writer, UnaryOperator.identity());
    }

    private static Scalar text(@Nullable String logicalType, UnaryOperator<Object> parse) {
        return new Scalar(Schema.Type.STRING, logicalType, (value, out) -> out.writeString(value.toString()), parse);
    }

    /** The scalar of a class, or null for composite types. */
    static @Nullable Scalar of(Class<?> type) {
        Scalar scalar = KNOWN.get(type);
        return scalar != null ? scalar : ofParseMethod(type);
    }

    /** Domain types with {@code public static T parse(String)} are mapped to text. */
    private static @Nullable Scalar ofParseMethod(Class<?> type) {
        try {
            MethodHandle parse = MethodHandles.publicLookup()
                    .findStatic(type, "parse", MethodType.methodType(type, String.class))
                    .asType(MethodType.methodType(Object.class, Object.class));
            return text(null, text -> parse(parse, text));
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return null;
        }
    }

    private static Object parse(MethodHandle parse, Object text) {
        try {
            return (Object) parse.invokeExact(text);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static long micros(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), MICROS), instant.getNano() / 1000);
    }

    private static Instant instant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1000);
    }

    /** Reads a value of the writer's type, which Avro may promote to the type of this scalar. */
    ValueReader reader(Schema.Type writerType) {
        ValueReader raw = promoting(writerType);
        return fromAvro == UnaryOperator.identity()
                ? raw
                : in -> fromAvro.apply(Objects.requireNonNull(raw.read(in), "a scalar is never null"));
    }

    private ValueReader promoting(Schema.Type writerType) {
        return switch (avro) {
            case BOOLEAN -> Decoder::readBoolean;
            case INT -> Decoder::readInt;
            case LONG -> writerType == Schema.Type.INT ? in -> (long) in.readInt() : Decoder::readLong;
            case DOUBLE -> in -> number(in, writerType);
            case BYTES -> in -> in.readBytes(null);
            default -> Decoder::readString; // bytes of a former bytes field are UTF-8 text in the same form
        };
    }

    private static double number(Decoder in, Schema.Type writerType) throws IOException {
        return switch (writerType) {
            case INT -> in.readInt();
            case LONG -> in.readLong();
            case FLOAT -> in.readFloat();
            default -> in.readDouble();
        };
    }
}
