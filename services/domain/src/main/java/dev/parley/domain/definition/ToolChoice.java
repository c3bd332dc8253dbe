package dev.parley.domain.definition;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a model is to do with the tools that it is shown. What is more than leave holds for the first model call of a turn: one that had to
 * call a tool in each could never answer.
 */
public sealed interface ToolChoice {
    /** It may call them, or answer. */
    ToolChoice AUTO = new Auto();

    /** It is to answer without them. */
    ToolChoice NONE = new None();

    /** What the option says for {@link Required}. */
    String REQUIRED = "required";

    /** What the option begins with for {@link Named}. */
    String TOOL = "tool:";

    /** Characters of the option. */
    int LONGEST = 256;

    /** It decides itself. */
    record Auto() implements ToolChoice {}

    /** It calls none. */
    record None() implements ToolChoice {}

    /** It calls at least one. */
    record Required() implements ToolChoice {}

    /** It calls this one. */
    record Named(String tool) implements ToolChoice {}

    /** What the option {@link Agent#TOOL_CHOICE} says; empty where it says nothing that is known. */
    static Optional<ToolChoice> read(String option) {
        if (option.equals(Agent.NONE)) {
            return Optional.of(NONE);
        }
        if (option.equals(REQUIRED)) {
            return Optional.of(new Required());
        }
        boolean isNamed = option.startsWith(TOOL) && option.length() > TOOL.length() && option.length() <= LONGEST;
        return isNamed ? Optional.of(new Named(option.substring(TOOL.length()))) : Optional.empty();
    }

    /** What the option says where it is set, else {@link #AUTO}. */
    static ToolChoice of(@Nullable String option) {
        return option == null ? AUTO : read(option).orElse(AUTO);
    }
}
