package dev.parley.domain.definition;

import dev.parley.domain.bank.Directive;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A check of texts before they are passed on, which can block or rewrite them: a pattern, a tool, or a directive of a
 * memory bank.
 *
 * @param on the stage that is checked
 * @param pattern regular expression of forbidden text, or null
 * @param tool that makes the decision, or null
 * @param action applied where the pattern matches; ignored for a tool
 * @param replacement replaces what the pattern matches
 * @param message reply of a blocked turn
 * @param failsOpen whether the text passes if the guardrail fails; otherwise it is blocked
 * @param directive that a text must not break, or null; never set on agents, it comes from their banks
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
    /** Maximum guardrails of an agent, and of a project. */
    public static final int MAX_COUNT = 20;

    /** Default reply of a blocked turn. */
    public static final String MESSAGE = "I can't help with that.";

    /** Default replacement for pattern matches. */
    public static final String REPLACEMENT = "[removed]";

    public Guardrail {
        if (Stream.of(pattern, tool, directive).filter(Objects::nonNull).count() != 1) {
            throw new IllegalArgumentException("a guardrail has a pattern or a tool");
        }
        on = List.copyOf(on);
    }

    /** A guardrail with a pattern or a tool. */
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

    /** A guardrail that enforces a directive on answers. */
    public static Guardrail of(Directive directive) {
        return new Guardrail(
                "directive " + directive.name(),
                List.of(GuardrailStage.OUTPUT),
                null,
                null,
                GuardrailAction.BLOCK,
                "",
                Directive.withheldNotice(directive.name()),
                false,
                directive);
    }
}
