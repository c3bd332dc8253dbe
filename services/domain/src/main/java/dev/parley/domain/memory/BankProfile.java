package dev.parley.domain.memory;

import dev.parley.domain.bank.BankRef;
import dev.parley.domain.definition.Agent;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The profile of a bank. The traits, from 1 to 5, shape its reflections; they do not affect what is stored or found.
 *
 * @param skepticism 1 trusting, 5 doubting
 * @param literalism 1 reads between the lines, 5 literal
 * @param empathy 1 focused on facts, 5 on feelings
 * @param background identity that the bank speaks for, as text for a model; or null
 * @param model for extraction, reflection and consolidation if the requester has none, {@code provider/model}; or null
 *     for rules
 */
public record BankProfile(
        String name,
        int skepticism,
        int literalism,
        int empathy,
        @Nullable String background,
        @Nullable String model) {
    private static final Pattern MODEL = Pattern.compile("[^/\\s]+/\\S+");
    private static final int MAX_MODEL_LENGTH = 256;
    private static final int MAX_NAME_LENGTH = 126;
    private static final int MAX_BACKGROUND_LENGTH = 10_000;

    /**
     * @throws IllegalArgumentException for a trait outside 1 to 5, a name or background that is too long, or a model
     *     not of the form {@code provider/model}
     */
    public BankProfile {
        trait("skepticism", skepticism);
        trait("literalism", literalism);
        trait("empathy", empathy);
        if (name.isBlank() || name.length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException("the name of a bank has 1 to " + MAX_NAME_LENGTH + " characters");
        }
        if (background != null && background.length() > MAX_BACKGROUND_LENGTH) {
            throw new IllegalArgumentException(
                    "the background of a bank has at most %,d characters".formatted(MAX_BACKGROUND_LENGTH));
        }
        if (model != null
                && (model.length() > MAX_MODEL_LENGTH || !MODEL.matcher(model).matches())) {
            throw new IllegalArgumentException(
                    "the model of a bank is provider/model, for example openai/gpt-5; leave it out for rules");
        }
    }

    private static void trait(String name, int value) {
        if (value < 1 || value > 5) {
            throw new IllegalArgumentException(name + " is from 1 to 5, not " + value);
        }
    }

    /** The agent whose model processes the bank; empty for rules. */
    public Optional<Agent> reader() {
        return Optional.ofNullable(model).map(name -> {
            int slash = name.indexOf('/');
            return Agent.of("memory", name.substring(0, slash), name.substring(slash + 1), "");
        });
    }

    /** The default profile. */
    public static BankProfile of(BankRef bank) {
        return new BankProfile(bank.scope().code(), 3, 3, 3, null, null);
    }
}
