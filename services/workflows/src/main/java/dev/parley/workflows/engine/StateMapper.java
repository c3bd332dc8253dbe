package dev.parley.workflows.engine;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.json.Json;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Maps the records of a state to JSON objects and back: a member per component, without those that are null. Names of
 * components, and of the kinds of {@link Frame.Work}, are part of the stored format.
 */
final class StateMapper {
    private static final String KIND = "is";

    /** The kinds of work by their names: {@code calling}, {@code sleeping} and so on. */
    private static final Map<String, Class<?>> WORKS = Stream.of(Frame.Work.class.getPermittedSubclasses())
            .collect(Collectors.toUnmodifiableMap(StateMapper::kind, Function.identity()));

    private static final Map<Type, Function<Json, Object>> READERS = Map.ofEntries(
            Map.entry(Json.class, json -> json),
            Map.entry(String.class, Json::display),
            Map.entry(int.class, json -> (int) number(json)),
            Map.entry(Integer.class, json -> (int) number(json)),
            Map.entry(long.class, StateMapper::number),
            Map.entry(boolean.class, Json::isTruthy),
            Map.entry(Instant.class, json -> Instant.parse(json.display())),
            Map.entry(Phase.class, json -> Phase.valueOf(json.display())),
            Map.entry(WorkflowError.class, WorkflowError::of),
            Map.entry(Frame.Work.class, StateMapper::work),
            Map.entry(Frame.Branch.class, json -> read(json, Frame.Branch.class)),
            Map.entry(Frame.class, json -> read(json, StoredFrame.class).frame()));

    private static final ClassValue<Mapping> MAPPINGS = new ClassValue<>() {
        @Override
        protected Mapping computeValue(Class<?> type) {
            return Mapping.of(type);
        }
    };

    private StateMapper() {}

    private static String kind(Class<?> work) {
        return work.getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** @param inArray whether the value is stored in an array */
    private record Component(String name, Method accessor, Type type, boolean isNullable, boolean inArray) {
        static Component of(RecordComponent component) {
            return new Component(
                    component.getName(),
                    component.getAccessor(),
                    component.getGenericType(),
                    component.getAnnotatedType().isAnnotationPresent(Nullable.class),
                    component.isAnnotationPresent(InArray.class));
        }
    }

    private record Mapping(List<Component> components, Constructor<?> constructor) {
        static Mapping of(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            Class<?>[] types =
                    Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            try {
                return new Mapping(
                        Stream.of(components).map(Component::of).toList(), type.getDeclaredConstructor(types));
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static Json write(Object value) {
        return switch (value) {
            case Json json -> json;
            case String text -> Json.of(text);
            case Integer number -> Json.of(number);
            case Long number -> Json.of(number);
            case Boolean truth -> Json.of(truth);
            case Instant time -> Json.of(time.toString());
            case Phase phase -> Json.of(phase.name());
            case WorkflowError error -> error.toJson();
            case Frame frame -> object(StoredFrame.of(frame));
            case List<?> items -> Json.of(items.stream().map(StateMapper::write).toList());
            case Record state -> object(state);
            default -> throw new IllegalArgumentException("not part of a state: " + value);
        };
    }

    private static Json object(Record state) {
        var members = new LinkedHashMap<String, Json>();
        if (state instanceof Frame.Work) {
            members.put(KIND, Json.of(kind(state.getClass())));
        }
        for (Component component : MAPPINGS.get(state.getClass()).components()) {
            Object value = get(component, state);
            if (value != null && (component.isNullable() || !(value instanceof Json.Null))) {
                Json json = write(value);
                members.put(component.name(), component.inArray() ? Json.of(List.of(json)) : json);
            }
        }
        return Json.of(members);
    }

    private static @Nullable Object get(Component component, Record state) {
        try {
            return component.accessor().invoke(state);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @throws IllegalArgumentException if the JSON is not of this type */
    static <T extends Record> T read(Json json, Class<T> type) {
        Mapping mapping = MAPPINGS.get(type);
        @Nullable Object[] values = new @Nullable Object[mapping.components().size()];
        for (int i = 0; i < values.length; i++) {
            Component component = mapping.components().get(i);
            values[i] = member(json.get(component.name()), component);
        }
        try {
            return type.cast(mapping.constructor().newInstance(values));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable Object member(Json json, Component component) {
        if (component.inArray()) {
            return json.list().isEmpty() ? null : json.list().getFirst();
        }
        return component.isNullable() && json.isNull() ? null : value(json, component.type());
    }

    private static Object value(Json json, Type type) {
        if (type instanceof ParameterizedType list) {
            Type item = list.getActualTypeArguments()[0];
            return json.list().stream().map(value -> value(value, item)).toList();
        }
        Function<Json, Object> reader = READERS.get(type);
        if (reader == null) {
            throw new IllegalStateException("not part of a state: " + type);
        }
        return reader.apply(json);
    }

    private static Record work(Json json) {
        Class<?> type = WORKS.get(json.get(KIND).display());
        if (type == null) {
            throw new IllegalArgumentException("'" + json.get(KIND).display() + "' is not the work of a task");
        }
        return read(json, type.asSubclass(Record.class));
    }

    private static long number(Json json) {
        if (json instanceof Json.Num(BigDecimal number)) {
            return number.longValueExact();
        }
        throw new IllegalArgumentException(json + " is not a number");
    }
}
