package dev.parley.agents.model.wire;

import dev.parley.platform.config.ProviderConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Reads the kind-specific options of a provider. */
public record ProviderOptions(ProviderConfig config) {

    /**
     * The options of a provider whose kind has these options.
     *
     * @throws IllegalArgumentException when there is an unknown option
     */
    public static ProviderOptions of(ProviderConfig config, Set<String> names) {
        for (String name : new TreeSet<>(config.options().keySet())) {
            if (!names.contains(name)) {
                throw new IllegalArgumentException("a provider of kind %s has no option '%s'; it has %s"
                        .formatted(
                                config.kind(),
                                name,
                                names.isEmpty() ? "none" : String.join(", ", new TreeSet<>(names))));
            }
        }
        return new ProviderOptions(config);
    }

    public String text(String option, String fallback) {
        return config.options().getOrDefault(option, fallback);
    }

    /**
     * A value of an enum, in lower case.
     *
     * @throws IllegalArgumentException naming the valid values
     */
    public <E extends Enum<E>> E choice(String option, E fallback) {
        E[] choices = fallback.getDeclaringClass().getEnumConstants();
        List<String> names = Arrays.stream(choices)
                .map(choice -> choice.name().toLowerCase(Locale.ROOT))
                .toList();
        return choices[index(option, names, fallback.ordinal())];
    }

    /**
     * One of two values.
     *
     * @throws IllegalArgumentException naming the valid values
     */
    public boolean either(String option, String yes, String no, boolean fallback) {
        return index(option, List.of(yes, no), fallback ? 0 : 1) == 0;
    }

    private int index(String option, List<String> choices, int fallback) {
        String value = config.options().get(option);
        int index = value == null ? fallback : choices.indexOf(value);
        if (index < 0) {
            throw new IllegalArgumentException("the option '%s' of the provider '%s' is one of %s, not '%s'"
                    .formatted(option, config.name(), choices.stream().collect(Collectors.joining(", ")), value));
        }
        return index;
    }
}
