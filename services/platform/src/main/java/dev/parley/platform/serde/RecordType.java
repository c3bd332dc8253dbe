package dev.parley.platform.serde;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A record class with method handles of its accessors and its canonical constructor. */
public final class RecordType {
    private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);

    private static final ClassValue<RecordType> TYPES = new ClassValue<>() {
        @Override
        protected RecordType computeValue(Class<?> type) {
            return new RecordType(type);
        }
    };

    private final List<String> names;
    private final List<JavaType> types;
    private final MethodHandle[] getters;
    private final MethodHandle constructor;

    private RecordType(Class<?> type) {
        if (!type.isRecord()) {
            throw new IllegalStateException(type.getName() + " is not a record and cannot have a schema");
        }
        RecordComponent[] components = type.getRecordComponents();
        names = Stream.of(components).map(RecordComponent::getName).toList();
        types = Stream.of(components)
                .map(RecordComponent::getAnnotatedType)
                .map(JavaType::of)
                .toList();
        try {
            getters = getters(components);
            constructor = constructor(type, components);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type.getName() + " and its constructor must be public to be mapped", e);
        }
    }

    private static MethodHandle[] getters(RecordComponent[] components) throws IllegalAccessException {
        var getters = new MethodHandle[components.length];
        for (int i = 0; i < components.length; i++) {
            getters[i] = MethodHandles.publicLookup()
                    .unreflect(components[i].getAccessor())
                    .asType(GETTER);
        }
        return getters;
    }

    private static MethodHandle constructor(Class<?> type, RecordComponent[] components)
            throws ReflectiveOperationException {
        Class<?>[] parameters =
                Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        return MethodHandles.publicLookup()
                .findConstructor(type, MethodType.methodType(void.class, parameters))
                .asSpreader(Object[].class, parameters.length)
                .asType(MethodType.methodType(Object.class, Object[].class));
    }

    /** The type of a record class. */
    public static RecordType of(Class<?> type) {
        return TYPES.get(type);
    }

    /** Names of the components, in order. */
    public List<String> names() {
        return names;
    }

    /** The type of a component. */
    public JavaType componentType(int index) {
        return types.get(index);
    }

    /** The value of a component. */
    public @Nullable Object get(Object record, int index) {
        try {
            return (Object) getters[index].invokeExact(record);
        } catch (Throwable e) {
            throw sneaky(e);
        }
    }

    /**
     * A record of these values.
     *
     * @throws RuntimeException from the constructor, for invalid values
     */
    public Object create(@Nullable Object[] values) {
        try {
            return (Object) constructor.invokeExact(values);
        } catch (Throwable e) {
            throw sneaky(e);
        }
    }

    private static RuntimeException sneaky(Throwable e) {
        switch (e) {
            case RuntimeException unchecked -> throw unchecked;
            case Error error -> throw error;
            default -> throw new IllegalStateException(e);
        }
    }
}
