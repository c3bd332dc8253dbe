package dev.parley.domain.definition;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Restriction of a model's use of the tools of a request. {@link Required} and {@link Named} apply to the first model
 * call of a turn only; otherwise the turn could never end with an answer.
 */
public sealed interface ToolChoice {
    ToolChoice AUTO = new Auto();

    ToolChoice NONE = new None();

    /** The option value of {@link Required}. */
    String REQUIRED = "required";

    /** The option prefix of {@link Named}. */
    String TOOL = "tool:";

    /** Maximum characters of the option. */
    int MAX_LENGTH = 256;

    /** The model decides. */
    record Auto() implements ToolChoice {}

    /** The model calls no tool. */
    record None() implements ToolChoice {}

    /** The model calls at least one tool. */
    record Required() implements ToolChoice {}

    /** The model calls this tool. */
    record Named(String tool) implements ToolChoice {}

    /** Parses the value of {@link Agent#TOOL_CHOICE}; empty if it is invalid. */
    static Optional<ToolChoice> read(String option) {
        if (option.equals(Agent.NONE)) {
            return Optional.of(NONE);
        }
        if (option.equals(REQUIRED)) {
            return Optional.of(new Required());
        }
        boolean isNamed = option.startsWith(TOOL) && option.length() > TOOL.length() && option.length() <= MAX_LENGTH;
        return isNamed ? Optional.of(new Named(option.substring(TOOL.length()))) : Optional.empty();
    }

    /** The parsed option, or {@link #AUTO} if it is absent or invalid. */
    static ToolChoice of(@Nullable String option) {
        return option == null ? AUTO : read(option).orElse(AUTO);
    }
}
