package dev.parley.domain.bank;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A hard rule for answers that use a bank: its reflections, and the chats of agents with this memory. Directives take
 * precedence over all memories.
 *
 * @param content the rule, for example {@code Never give phone numbers.}
 * @param priority highest first; of two contradicting directives the one with the higher priority is followed
 * @param active whether the directive is enforced
 */
public record Directive(UUID id, String name, String content, int priority, boolean active) {
    private static final int MAX_NAME_LENGTH = 256;
    private static final int MAX_LENGTH = 4_000;

    /** @throws IllegalArgumentException if the name or content is blank or too long */
    public Directive {
        if (name.isBlank() || name.length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException("the name of a directive has 1 to " + MAX_NAME_LENGTH + " characters");
        }
        if (content.isBlank() || content.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("a directive has 1 to %,d characters".formatted(MAX_LENGTH));
        }
    }

    /** The active directives as given to models: one numbered line each, by descending priority. */
    public static String toNumberedList(Collection<Directive> directives) {
        List<Directive> holding = holding(directives);
        return IntStream.range(0, holding.size())
                .mapToObj(i -> (i + 1) + ". " + holding.get(i).content().strip().replaceAll("\\s+", " ") + "\n")
                .collect(Collectors.joining());
    }

    /** The text that replaces an answer breaking the directive of this name. */
    public static String withheldNotice(String name) {
        return "The answer is withheld: it breaks the directive \"" + name + "\".";
    }

    /** The active directives, by descending priority. */
    public static List<Directive> holding(Collection<Directive> directives) {
        return directives.stream()
                .filter(Directive::active)
                .sorted(Comparator.comparingInt(Directive::priority)
                        .reversed()
                        .thenComparing(Directive::name)
                        .thenComparing(Directive::id))
                .toList();
    }
}
