package dev.parley.domain.turn;

import dev.parley.domain.Coded;
import dev.parley.domain.definition.Guardrail;
import dev.parley.domain.definition.GuardrailAction;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.ToolStatus;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a guardrail says about a text.
 *
 * @param text what takes its place where it is rewritten
 * @param reason a short code; it never says what was in the text
 */
record Verdict(GuardrailAction action, String text, String reason) {
    static final Verdict ALLOWED = new Verdict(GuardrailAction.ALLOW, "", "");

    private static final String DECIDED = "tool";
    private static final Pattern CODE = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,63}");

    /** The guardrail cannot decide. */
    static Verdict none(Guardrail rail, String reason) {
        return new Verdict(rail.failsOpen() ? GuardrailAction.ALLOW : GuardrailAction.BLOCK, "", reason);
    }

    /** What its tool said. */
    static Verdict of(Guardrail rail, String text, ToolAnswered answer) {
        if (answer.status() != ToolStatus.COMPLETED) {
            return none(rail, "failed");
        }
        Optional<Arguments> said = Arguments.of(answer.content());
        Optional<GuardrailAction> action = said.flatMap(it -> Coded.of(GuardrailAction.class, it.text("action")));
        if (action.isEmpty()) {
            return none(rail, "unreadable");
        }
        String reason = reason(said.get().text("reason"), text);
        return switch (action.get()) {
            case ALLOW -> ALLOWED;
            case BLOCK -> new Verdict(GuardrailAction.BLOCK, "", reason);
            case REWRITE ->
                said.get().values().containsKey("text")
                        ? new Verdict(GuardrailAction.REWRITE, said.get().text("text"), reason)
                        : none(rail, "unreadable");
        };
    }

    /** What takes the place of the text; null where it stays. */
    @Nullable
    String rewritten() {
        return action == GuardrailAction.ALLOW ? null : text;
    }

    /** A code that stands in the text might be what must not be said. */
    private static String reason(String said, String text) {
        return CODE.matcher(said).matches() && !text.contains(said) ? said : DECIDED;
    }
}
