package dev.parley.platform.document;

import dev.parley.domain.document.Fault;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A choice between some values, each with its code; the case of letters does not count.
 *
 * @param codes the values by code
 */
record Choice(Map<String, Object> codes) implements Value {
    Choice(Class<?> type) {
        this(codes(type));
    }

    private static Map<String, Object> codes(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .collect(Collectors.toMap(
                        constant -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT),
                        Function.identity(),
                        (first, _) -> first,
                        LinkedHashMap::new));
    }

    /** The codes of the constants of a type, as texts. */
    static Choice ofCodes(Class<?> type) {
        var codes = new LinkedHashMap<String, Object>();
        codes(type).keySet().forEach(code -> codes.put(code, code));
        return new Choice(codes);
    }

    /** One constant of a type, in a list, or all as {@code both}. */
    static Choice oneOrBoth(Class<?> type) {
        var codes = new LinkedHashMap<String, Object>();
        codes(type).forEach((code, constant) -> codes.put(code, List.of(constant)));
        codes.put("both", List.of(type.getEnumConstants()));
        return new Choice(codes);
    }

    /** {@code block} for false, {@code allow} for true. */
    static Choice blockOrAllow() {
        var codes = new LinkedHashMap<String, Object>();
        codes.put("block", false);
        codes.put("allow", true);
        return new Choice(codes);
    }

    @Override
    public @Nullable Object read(Object document, List<Fault> faults) {
        Object value = codes.get(String.valueOf(Text.scalar(document)).toLowerCase(Locale.ROOT));
        if (value == null) {
            faults.add(new Fault("", "must be one of " + String.join(", ", codes.keySet())));
        }
        return value;
    }

    @Override
    public Object write(Object value) {
        return codes.entrySet().stream()
                .filter(entry -> entry.getValue().equals(value))
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    @Override
    public Map<String, Object> schema() {
        return Map.of("type", "string", "enum", List.copyOf(codes.keySet()));
    }
}
