package dev.parley.platform.serde;

import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.protocol.Reminder.QuietHours;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes records of any type, the same for the same seed: edges often, nulls where they may be. */
final class RandomRecords {
    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "plain words",
            "\u0000",
            "tab\tand\nline",
            "👩‍👩‍👧‍👦 family",
            "𝄞 clef",
            "ÄÖÜ ß",
            "漢字",
            "\uFFFD",
            "{\"json\":[1]}");
    private static final List<Long> LONGS =
            List.of(0L, 1L, -1L, 63L, 64L, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 53, (1L << 53) + 1, -(1L << 31));
    private static final List<String> TRAITS = List.of("skepticism", "literalism", "empathy");
    private static final List<Integer> INTS = List.of(0, 1, -1, 63, 64, 8191, Integer.MAX_VALUE, Integer.MIN_VALUE);
    private static final List<Double> DOUBLES =
            List.of(0.0, -0.0, 0.7, 1.0, Double.MAX_VALUE, Double.MIN_VALUE, Double.NaN, Double.NEGATIVE_INFINITY);

    private final Random random;

    RandomRecords(long seed) {
        random = new Random(seed);
    }

    /** Some record of a type; of a sealed one, any of its records. */
    <T> T next(Class<T> type) {
        return type.cast(value("", JavaType.of(type)));
    }

    private Object record(Class<?> type) {
        if (type == QuietHours.class) {
            return new QuietHours(text(), "22:00", "07:00", "Europe/Berlin"); // no random text is a time
        }
        RecordType shape = RecordType.of(type);
        for (int attempt = 0; attempt < 10_000; attempt++) {
            try {
                return shape.create(IntStream.range(0, shape.names().size())
                        .mapToObj(i -> value(shape.names().get(i), shape.componentType(i)))
                        .toArray());
            } catch (IllegalArgumentException e) {
                // the record refuses these values, as limits do that contradict each other: try others
            }
        }
        throw new AssertionError("no values that " + type + " takes: it needs a case of its own");
    }

    private @Nullable Object value(String name, JavaType type) {
        if (type.nullable() && random.nextInt(3) == 0) {
            return null;
        }
        Class<?> raw = type.raw();
        if (raw.isSealed()) {
            return record(any(type.leaves()));
        }
        if (raw.isEnum()) {
            return any(List.of(raw.getEnumConstants()));
        }
        return switch (raw.getSimpleName()) {
            case "String" -> name.equals("name") ? "name-" + random.nextInt(100) : text();
            case "int", "Integer" -> TRAITS.contains(name) ? random.nextInt(1, 6) : number();
            case "long", "Long" -> random.nextBoolean() ? any(LONGS) : random.nextLong();
            case "boolean" -> random.nextBoolean();
            case "double", "Double" -> random.nextBoolean() ? any(DOUBLES) : random.nextDouble();
            case "UUID" -> new UUID(random.nextLong(), random.nextLong());
            case "Vector" ->
                Vector.of((float) random.nextGaussian(), (float) random.nextGaussian(), random.nextFloat());
            case "QuietHours" -> new QuietHours(random.nextBoolean() ? null : text(), "22:00", "06:30", "UTC");
            case "Instant" -> instant();
            case "Duration" -> Duration.ofMillis(random.nextLong(-1_000, 1L << 40));
            case "RecordKey" -> RecordKey.of("telegram:" + random.nextInt() + (random.nextBoolean() ? ":thème" : ""));
            case "List" ->
                Stream.generate(() -> value("", type.argument(0)))
                        .limit(random.nextInt(4))
                        .toList();
            case "Map" -> map(type.argument(1));
            default -> record(raw);
        };
    }

    private int number() {
        return switch (random.nextInt(3)) {
            case 0 -> any(INTS);
            case 1 -> random.nextInt(1, 100);
            default -> random.nextInt();
        };
    }

    private Instant instant() {
        long seconds = random.nextLong(-62_135_596_800L, 253_402_300_799L); // years 1 to 9999
        return Instant.ofEpochSecond(seconds, random.nextInt(1_000_000_000)).truncatedTo(ChronoUnit.MICROS);
    }

    private Map<String, Object> map(JavaType values) {
        var map = new HashMap<String, Object>();
        for (int i = random.nextInt(4); i > 0; i--) {
            map.put(text(), value("", values));
        }
        return map;
    }

    private String text() {
        if (random.nextBoolean()) {
            return any(TEXTS);
        }
        return random.ints(random.nextInt(40), 0, Character.MAX_CODE_POINT + 1)
                .filter(point -> point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private <V> V any(List<V> values) {
        return values.get(random.nextInt(values.size()));
    }
}
