package dev.parley.domain.definition;

import dev.parley.domain.bank.Directive;
import dev.parley.domain.document.Checked;
import dev.parley.domain.document.Fault;
import dev.parley.domain.document.FaultException;
import dev.parley.domain.document.Field;
import dev.parley.domain.document.Form;
import dev.parley.domain.document.NotInDocuments;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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
        @Field(
                required = true,
                pattern = "[A-Za-z0-9_.-]{1,64}",
                problem = "is 1 to 64 letters, digits, '_', '.' or '-'")
        String name,

        @Field(fallback = "both", form = Form.ONE_OR_BOTH) List<GuardrailStage> on,
        @Field(form = Form.PATTERN) @Nullable String pattern,

        @Field(pattern = "[A-Za-z0-9_-]{1,64}", problem = Guardrail.NO_TOOL) @Nullable
        String tool,

        @Field(fallback = "block") GuardrailAction action,

        @Field(fallback = Guardrail.REPLACEMENT, form = Form.VERBATIM, length = 200)
        String replacement,

        @Field(fallback = Guardrail.MESSAGE, length = 1_000) String message,

        @Field(name = "onError", fallback = "block", form = Form.BLOCK_OR_ALLOW)
        boolean failsOpen,

        @NotInDocuments @Nullable Directive directive)
        implements Checked {
    /** Maximum guardrails of an agent, and of a project. */
    public static final int MAX_COUNT = 20;

    /** Default reply of a blocked turn. */
    public static final String MESSAGE = "I can't help with that.";

    /** Default replacement for pattern matches. */
    public static final String REPLACEMENT = "[removed]";

    private static final String NO_TOOL = "is the name of a tool that a worker carries out";

    public Guardrail {
        if (Stream.of(pattern, tool, directive).filter(Objects::nonNull).count() != 1) {
            throw new FaultException("pattern", "is needed, or 'tool' instead, but not both");
        }
        on = List.copyOf(on);
    }

    @Override
    public List<Fault> faults(Set<String> given) {
        var faults = new ArrayList<Fault>();
        if (tool != null) {
            if (ToolSpec.OWN.contains(tool) || ToolSpec.OF_MACHINE.contains(tool)) {
                faults.add(new Fault("tool", NO_TOOL));
            }
            Stream.of("action", "replacement")
                    .filter(given::contains)
                    .map(field -> new Fault(field, "is for patterns; a tool decides on the action itself"))
                    .forEach(faults::add);
        } else if (!given.contains("action") || action == GuardrailAction.ALLOW) {
            faults.add(new Fault("action", "is block or rewrite"));
        } else if (given.contains("replacement") && action == GuardrailAction.BLOCK) {
            faults.add(new Fault("replacement", "is for the action rewrite"));
        }
        return faults;
    }

    @Override
    public Set<String> omitted() {
        return tool != null
                ? Set.of("pattern", "action", "replacement")
                : action == GuardrailAction.REWRITE ? Set.of("tool") : Set.of("tool", "replacement");
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
