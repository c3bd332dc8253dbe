package dev.parley.domain.memory;

import dev.parley.domain.bank.BankRef;
import dev.parley.domain.definition.Agent;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a bank is like. The three traits are from 1 to 5, and shape how it reflects; they change nothing of what it knows.
 *
 * @param skepticism from trusting to doubting
 * @param literalism from reading between the lines to taking words as they are
 * @param empathy from facts to feelings
 * @param background who it speaks for, in words for a model; or null
 * @param model which it reads, reflects and consolidates with where whoever asks has none, {@code provider/model}; or null for rules
 */
public record BankProfile(
        String name,
        int skepticism,
        int literalism,
        int empathy,
        @Nullable String background,
        @Nullable String model) {
    private static final Pattern MODEL = Pattern.compile("[^/\\s]+/\\S+");
    private static final int LONGEST_MODEL = 256;
    private static final int LONGEST_NAME = 126;
    private static final int LONGEST_BACKGROUND = 10_000;

    /**
     * @throws IllegalArgumentException for a trait that is not from 1 to 5, for a name or background that is too long, and for a
     *     model that is not {@code provider/model}
     */
    public BankProfile {
        trait("skepticism", skepticism);
        trait("literalism", literalism);
        trait("empathy", empathy);
        if (name.isBlank() || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("the name of a bank has 1 to " + LONGEST_NAME + " characters");
        }
        if (background != null && background.length() > LONGEST_BACKGROUND) {
            throw new IllegalArgumentException(
                    "the background of a bank has at most %,d characters".formatted(LONGEST_BACKGROUND));
        }
        if (model != null
                && (model.length() > LONGEST_MODEL || !MODEL.matcher(model).matches())) {
            throw new IllegalArgumentException(
                    "the model of a bank is provider/model, for example openai/gpt-5; leave it out for rules");
        }
    }

    private static void trait(String name, int value) {
        if (value < 1 || value > 5) {
            throw new IllegalArgumentException(name + " is from 1 to 5, not " + value);
        }
    }

    /** Who reads, reflects and consolidates for it; empty for rules. */
    public Optional<Agent> reader() {
        return Optional.ofNullable(model).map(name -> {
            int slash = name.indexOf('/');
            return Agent.of("memory", name.substring(0, slash), name.substring(slash + 1), "");
        });
    }

    /** What a bank is like of which nobody said anything. */
    public static BankProfile of(BankRef bank) {
        return new BankProfile(bank.scope().code(), 3, 3, 3, null, null);
    }
}
