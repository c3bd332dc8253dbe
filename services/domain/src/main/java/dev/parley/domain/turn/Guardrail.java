package dev.parley.domain.turn;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What looks at texts before they go on, and may block or rewrite them: a pattern, or a tool that decides.
 *
 * @param on what it looks at
 * @param pattern regular expression of what is not to go on, or null where a tool decides
 * @param tool that decides, or null where a pattern does
 * @param action what is done where the pattern is found; of no meaning for a tool
 * @param replacement takes the place of what the pattern finds
 * @param message the reply of a turn that is blocked
 * @param failsOpen whether a text goes on where the guardrail cannot decide; else it is blocked
 */
public record Guardrail(
        String name,
        List<GuardrailStage> on,
        @Nullable String pattern,
        @Nullable String tool,
        GuardrailAction action,
        String replacement,
        String message,
        boolean failsOpen) {
    /** Most of an agent, and most of a project. */
    public static final int MOST = 20;

    /** The usual reply of a turn that is blocked. */
    public static final String MESSAGE = "I can't help with that.";

    /** What usually takes the place of what a pattern finds. */
    public static final String REPLACEMENT = "[removed]";

    public Guardrail {
        if ((pattern == null) == (tool == null)) {
            throw new IllegalArgumentException("a guardrail has a pattern or a tool");
        }
        on = List.copyOf(on);
    }
}
