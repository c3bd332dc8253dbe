package dev.parley.domain.definition;

import dev.parley.domain.bank.Directive;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What looks at texts before they go on, and may block or rewrite them: a pattern, a tool that decides, or a directive of memory.
 *
 * @param on what it looks at
 * @param pattern regular expression of what is not to go on, or null
 * @param tool that decides, or null
 * @param action what is done where the pattern is found; of no meaning for a tool
 * @param replacement takes the place of what the pattern finds
 * @param message the reply of a turn that is blocked
 * @param failsOpen whether a text goes on where the guardrail cannot decide; else it is blocked
 * @param directive that a text must not break, or null; no agent has one, they are those of its banks
 */
public record Guardrail(
        String name,
        List<GuardrailStage> on,
        @Nullable String pattern,
        @Nullable String tool,
        GuardrailAction action,
        String replacement,
        String message,
        boolean failsOpen,
        @Nullable Directive directive) {
    /** Most of an agent, and most of a project. */
    public static final int MOST = 20;

    /** The usual reply of a turn that is blocked. */
    public static final String MESSAGE = "I can't help with that.";

    /** What usually takes the place of what a pattern finds. */
    public static final String REPLACEMENT = "[removed]";

    public Guardrail {
        if (Stream.of(pattern, tool, directive).filter(Objects::nonNull).count() != 1) {
            throw new IllegalArgumentException("a guardrail has a pattern or a tool");
        }
        on = List.copyOf(on);
    }

    /** One with a pattern or a tool. */
    public Guardrail(
            String name,
            List<GuardrailStage> on,
            @Nullable String pattern,
            @Nullable String tool,
            GuardrailAction action,
            String replacement,
            String message,
            boolean failsOpen) {
        this(name, on, pattern, tool, action, replacement, message, failsOpen, null);
    }

    /** What keeps answers from breaking a directive. */
    public static Guardrail of(Directive directive) {
        return new Guardrail(
                "directive " + directive.name(),
                List.of(GuardrailStage.OUTPUT),
                null,
                null,
                GuardrailAction.BLOCK,
                "",
                Directive.withheld(directive.name()),
                false,
                directive);
    }
}
