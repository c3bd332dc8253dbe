package dev.parley.domain.bank;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A hard rule for what is said from a bank, in its reflections and in the chats that it is the memory of: it stands above everything that is remembered.
 *
 * @param content the rule, for example {@code Never give phone numbers.}
 * @param priority the highest first; where two contradict, the higher one is kept
 * @param active whether it holds now: otherwise it is as if it were not there
 */
public record Directive(UUID id, String name, String content, int priority, boolean active) {
    private static final int LONGEST_NAME = 256;
    private static final int LONGEST = 4_000;

    /** @throws IllegalArgumentException for a name or content that is empty or too long */
    public Directive {
        if (name.isBlank() || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("the name of a directive has 1 to " + LONGEST_NAME + " characters");
        }
        if (content.isBlank() || content.length() > LONGEST) {
            throw new IllegalArgumentException("a directive has 1 to %,d characters".formatted(LONGEST));
        }
    }

    /** Those that are active as a model reads them: a line each, numbered, the most important first. */
    public static String numbered(Collection<Directive> directives) {
        List<Directive> holding = holding(directives);
        return IntStream.range(0, holding.size())
                .mapToObj(i -> (i + 1) + ". " + holding.get(i).content().strip().replaceAll("\\s+", " ") + "\n")
                .collect(Collectors.joining());
    }

    /** What is said in place of an answer that breaks the directive of this name. */
    public static String withheld(String name) {
        return "The answer is withheld: it breaks the directive \"" + name + "\".";
    }

    /** Those that are active, the most important first. */
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
