package dev.parley.domain.memory.reflect;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * A rule that answers of a bank have to keep to, whatever is remembered and whoever asks.
 *
 * @param name of it, one in its bank
 * @param content the rule, for example {@code Never give phone numbers.}
 * @param priority the higher, the sooner it stands; where two contradict, the higher one is kept
 * @param active whether it holds: otherwise it is as if it were not there
 */
public record Directive(String name, String content, int priority, boolean active) {
    /** Those that hold, the most important first. */
    public static List<Directive> holding(Collection<Directive> directives) {
        return directives.stream()
                .filter(Directive::active)
                .sorted(Comparator.comparingInt(Directive::priority).reversed().thenComparing(Directive::name))
                .toList();
    }
}
