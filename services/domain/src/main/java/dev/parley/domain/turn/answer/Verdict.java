package dev.parley.domain.turn.answer;

import dev.parley.domain.Coded;
import dev.parley.domain.definition.Guardrail;
import dev.parley.domain.definition.GuardrailAction;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.ToolStatus;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The decision of a guardrail about a text.
 *
 * @param text the replacement, if it is rewritten
 * @param reason a short code that never quotes the text
 */
public record Verdict(GuardrailAction action, String text, String reason) {
    public static final Verdict ALLOWED = new Verdict(GuardrailAction.ALLOW, "", "");

    private static final String DECIDED = "tool";
    private static final Pattern CODE = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,63}");

    /** The guardrail failed to decide. */
    public static Verdict undecided(Guardrail rail, String reason) {
        return new Verdict(rail.failsOpen() ? GuardrailAction.ALLOW : GuardrailAction.BLOCK, "", reason);
    }

    /** The decision of a guardrail's tool. */
    public static Verdict of(Guardrail rail, String text, ToolAnswered answer) {
        if (answer.status() != ToolStatus.COMPLETED) {
            return undecided(rail, "failed");
        }
        Optional<ToolArguments> output = ToolArguments.of(answer.content());
        Optional<GuardrailAction> action = output.flatMap(it -> Coded.of(GuardrailAction.class, it.text("action")));
        if (action.isEmpty()) {
            return undecided(rail, "unreadable");
        }
        String reason = reason(output.get().text("reason"), text);
        return switch (action.get()) {
            case ALLOW -> ALLOWED;
            case BLOCK -> new Verdict(GuardrailAction.BLOCK, "", reason);
            case REWRITE ->
                output.get().values().containsKey("text")
                        ? new Verdict(GuardrailAction.REWRITE, output.get().text("text"), reason)
                        : undecided(rail, "unreadable");
        };
    }

    /** The replacement text, or null if the text stays. */
    @Nullable
    public String rewritten() {
        return action == GuardrailAction.ALLOW ? null : text;
    }

    /** A code that occurs in the text is suppressed: it could quote what must not be published. */
    private static String reason(String code, String text) {
        return CODE.matcher(code).matches() && !text.contains(code) ? code : DECIDED;
    }
}
