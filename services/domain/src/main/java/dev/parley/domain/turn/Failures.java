package dev.parley.domain.turn;

import dev.parley.domain.budget.Exhausted;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.MissingKey;
import java.util.UUID;

/** User-visible messages of failed turns, without internals. */
final class Failures {
    private Failures() {}

    /** @param detail shown to users only if it is a missing key or an exhausted budget */
    static String message(ErrorCategory category, String detail, UUID turnId) {
        String reason = switch (category) {
            case AUTH ->
                MissingKey.provider(detail)
                        .map(provider ->
                                "there is " + MissingKey.text(provider) + "; please add yours, or tell the operator.")
                        .orElse("the model provider did not accept its API key; please tell the operator.");
            case RATE_LIMIT, OVERLOADED -> "the model provider is too busy; please try again in a while.";
            case TIMEOUT, LOST -> "it took too long; please try again.";
            case NETWORK, SERVER -> "the model provider could not be reached; please try again.";
            case CONTENT_FILTER -> "the provider's content filter stopped the answer.";
            case CONTEXT_TOO_LONG -> "the conversation is too long for the model; start a new one.";
            case BUDGET ->
                detail.equals(ModelCalls.TURN_BUDGET_SPENT)
                        ? detail + "."
                        : Exhausted.words(detail).orElse("the budget of this conversation is used up.");
            case INVALID_REQUEST, INVALID_ANSWER, NOT_FOUND, CANCELLED, UNKNOWN -> "something went wrong.";
        };
        return "Sorry, " + reason + " (ref " + turnId.toString().substring(0, 8) + ")";
    }
}
