package dev.parley.platform.serde;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A Java type that is mapped to a schema: its class, its type arguments, and whether it is nullable. */
public record JavaType(Class<?> raw, boolean nullable, List<JavaType> arguments) {

    static JavaType of(Class<?> type) {
        return new JavaType(type, false, List.of());
    }

    static JavaType of(AnnotatedType type) {
        boolean nullable = type.isAnnotationPresent(Nullable.class);
        return switch (type.getType()) {
            case Class<?> plain -> new JavaType(plain, nullable, List.of());
            case ParameterizedType generic ->
                new JavaType(
                        (Class<?>) generic.getRawType(),
                        nullable,
                        Stream.of(((AnnotatedParameterizedType) type).getAnnotatedActualTypeArguments())
                                .map(JavaType::of)
                                .toList());
            default -> throw new IllegalStateException("no schema can stand for the Java type " + type);
        };
    }

    /** A type argument. */
    public JavaType argument(int index) {
        return arguments.get(index);
    }

    /** This type without null. */
    JavaType present() {
        return new JavaType(raw, false, arguments);
    }

    /** The record classes of this type: those of a sealed interface, or the type itself. */
    List<Class<?>> leaves() {
        return leaves(raw).distinct().toList();
    }

    private static Stream<Class<?>> leaves(Class<?> type) {
        return type.isSealed() ? Stream.of(type.getPermittedSubclasses()).flatMap(JavaType::leaves) : Stream.of(type);
    }

    @Override
    public String toString() {
        return (nullable ? "nullable " : "") + raw.getSimpleName() + (arguments.isEmpty() ? "" : arguments);
    }
}
