package dev.parley.platform.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.parley.domain.json.JsonBoundsException;
import io.micronaut.core.convert.exceptions.ConversionErrorException;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.config.annotation.SerdeConfig;
import io.micronaut.serde.exceptions.SerdeException;
import io.micronaut.serde.exceptions.path.CollectionItemReferencePath;
import io.micronaut.serde.exceptions.path.MapItemReferencePath;
import io.micronaut.serde.exceptions.path.ReferencePath;
import io.micronaut.web.router.exceptions.UnsatisfiedBodyRouteException;
import io.micronaut.web.router.exceptions.UnsatisfiedRouteException;
import java.time.Instant;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Describes a request that Micronaut cannot read, in terms of fields and parameters instead of classes. */
record BadInput(String code, String detail) {
    private static final int MAX_CAUSES = 12;

    /** The location in messages of Jackson. */
    private static final Pattern LOCATION = Pattern.compile("\\s*(\\(start marker )?at \\[Source:.*", Pattern.DOTALL);

    private static final Pattern EXPECTED = Pattern.compile("Unexpected token .*, expected (\\w+)");

    /** Describes the problem; empty for other causes. */
    static Optional<BadInput> of(@Nullable Throwable cause) {
        List<Throwable> causes = causes(cause);
        return causes.stream()
                .flatMap(throwable -> unreadable(throwable).stream())
                .findFirst()
                .or(() -> instances(causes, SerdeException.class)
                        .reduce(BadInput::deeper)
                        .map(BadInput::wrongField))
                .or(() -> instances(causes, ConversionErrorException.class)
                        .reduce((_, last) -> last)
                        .map(ConversionErrorException::getArgument)
                        .map(it -> badRequest(
                                "The parameter '%s' is %s".formatted(it.getName(), describe(it.getType())))));
    }

    private static Optional<BadInput> unreadable(Throwable cause) {
        return switch (cause) {
            case JsonBoundsException e -> Optional.of(new BadInput(e.code(), "The body is too large: " + detail(e)));
            case JsonProcessingException e -> Optional.of(invalidJson(e));
            case UnsatisfiedBodyRouteException _ -> Optional.of(badRequest("The body is missing."));
            case UnsatisfiedRouteException e ->
                Optional.of(badRequest("The parameter '%s' is missing"
                        .formatted(e.getArgument().getName())));
            default -> Optional.empty();
        };
    }

    /** An exception and its causes, outermost first; at most 12, because a chain may be cyclic. */
    static List<Throwable> causes(@Nullable Throwable thrown) {
        var causes = new ArrayList<Throwable>();
        for (Throwable current = thrown; current != null && causes.size() < MAX_CAUSES; current = current.getCause()) {
            causes.add(current);
        }
        return causes;
    }

    private static <T> Stream<T> instances(List<Throwable> causes, Class<T> type) {
        return causes.stream().filter(type::isInstance).map(type::cast);
    }

    private static BadInput badRequest(String detail) {
        return new BadInput("bad_request", detail);
    }

    private static SerdeException deeper(SerdeException first, SerdeException second) {
        return second.getPath().size() >= first.getPath().size() ? second : first;
    }

    private static BadInput invalidJson(JsonProcessingException e) {
        return badRequest("The body is not valid JSON: " + detail(e));
    }

    private static String detail(JsonProcessingException e) {
        String problem = LOCATION.matcher(e.getOriginalMessage()).replaceFirst("");
        String location = e.getLocation() == null
                ? ""
                : " (line %d, column %d)"
                        .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
        return problem + location;
    }

    private static BadInput wrongField(SerdeException e) {
        List<ReferencePath> path = e.getPath().reversed(); // innermost first
        if (path.isEmpty()) {
            return badRequest("The body is " + describeExpected(e));
        }
        String expected = describe(type(path.getLast()));
        return new BadInput("invalid_field", "The field '%s' is %s".formatted(name(path), expected));
    }

    /** The type of a value: the path has the type of the list or map for its items. */
    private static Class<?> type(ReferencePath step) {
        Argument<?>[] parameters = step.getArgument().getTypeParameters();
        boolean isInside = step instanceof CollectionItemReferencePath || step instanceof MapItemReferencePath;
        return isInside && parameters.length > 0
                ? parameters[parameters.length - 1].getType()
                : step.getArgument().getType();
    }

    private static String name(List<ReferencePath> path) {
        var name = new StringBuilder();
        for (ReferencePath step : path) {
            switch (step) {
                case CollectionItemReferencePath item ->
                    name.append('[').append(item.index()).append(']');
                case MapItemReferencePath item -> name.append(dot(name)).append(item.key());
                default -> name.append(dot(name)).append(name(step.getArgument()));
            }
        }
        return name.toString();
    }

    private static String dot(CharSequence before) {
        return before.isEmpty() ? "" : ".";
    }

    private static String name(Argument<?> property) {
        return property.getAnnotationMetadata()
                .stringValue(SerdeConfig.class, SerdeConfig.PROPERTY)
                .orElse(property.getName());
    }

    private static String describeExpected(SerdeException e) {
        Matcher expected = EXPECTED.matcher(String.valueOf(e.getMessage()));
        return !expected.find()
                ? "of the wrong type"
                : switch (expected.group(1)) {
                    case "START_OBJECT" -> "an object";
                    case "START_ARRAY" -> "a list";
                    default -> "of the wrong type";
                };
    }

    private static String describe(Class<?> type) {
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(constant -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(", ", "one of ", ""));
        }
        if (Boolean.class == type || boolean.class == type) {
            return "true or false";
        }
        if (isWhole(type)) {
            return "a whole number";
        }
        if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            return "a number";
        }
        return CharSequence.class.isAssignableFrom(type) ? "a text" : describeObject(type);
    }

    private static boolean isWhole(Class<?> number) {
        return number.isPrimitive() && number != double.class && number != float.class
                || List.<Class<?>>of(Integer.class, Long.class, Short.class).contains(number);
    }

    private static String describeObject(Class<?> type) {
        if (Collection.class.isAssignableFrom(type) || type.isArray()) {
            return "a list";
        }
        if (UUID.class == type) {
            return "an id, such as " + new UUID(0, 0);
        }
        if (Temporal.class.isAssignableFrom(type)) {
            return "a time, such as " + Instant.EPOCH;
        }
        return Map.class.isAssignableFrom(type) || type.isRecord() ? "an object" : "of the wrong type";
    }
}
