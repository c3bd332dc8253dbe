package dev.parley.channels.contract;

import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Intake.UnavailableException.Reason;
import dev.parley.channels.contract.Rights.Decision;
import dev.parley.domain.protocol.Outcome;
import dev.parley.platform.http.ApiException;
import io.micronaut.http.HttpStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** HTTP problems of refused or failed commands. */
public final class Refusals {
    private static final Duration RETRY_DELAY = Duration.ofSeconds(2);

    private Refusals() {}

    /** The problem of a refusal. */
    public static ApiException problem(Outcome.Refused refused) {
        return problem(refused.code(), refused.message());
    }

    /** The problem of a message of a bot that was not taken. */
    public static ApiException problem(Taken taken) {
        return switch (taken) {
            case Taken.Refused refused -> problem(refused.code(), refused.message());
            case Taken.NotSafe notSafe -> later(notSafe.overloaded() ? Reason.OVERLOADED : Reason.AWAY, null);
            case Taken.Safe _ -> throw new IllegalArgumentException("it was taken");
        };
    }

    private static ApiException problem(String code, String message) {
        String sentence = message.isEmpty() ? message : Character.toUpperCase(message.charAt(0)) + message.substring(1);
        var problem = new ApiException(status(code), code, sentence);
        return problem.status() == HttpStatus.TOO_MANY_REQUESTS ? problem.retryAfter(RETRY_DELAY) : problem;
    }

    /** The problem of a user of a bot who may not do this. */
    public static ApiException problem(Decision decision) {
        return decision == Decision.ARCHIVED
                ? new ApiException(HttpStatus.CONFLICT, "project_archived", "The project is archived.")
                : new ApiException(
                        HttpStatus.FORBIDDEN,
                        "not_allowed",
                        "This user is not allowed to use the bot; the operator can allow it.");
    }

    /** The problem of a command that may not be durable. */
    public static ApiException problem(UnavailableException e) {
        return e.reason() == Reason.TOO_LARGE
                ? ApiException.tooLarge("The message is larger than 8 MiB; send large texts as files.")
                : later(e.reason(), e);
    }

    private static ApiException later(Reason reason, @Nullable Throwable cause) {
        boolean overloaded = reason == Reason.OVERLOADED;
        String what = overloaded ? "Too many commands are in flight here." : "Kafka does not accept commands now.";
        String message = what + " Send the request again with the same id: it counts once.";
        return new ApiException(
                        HttpStatus.SERVICE_UNAVAILABLE, overloaded ? "overloaded" : "unavailable", message, cause)
                .retryAfter(RETRY_DELAY);
    }

    private static HttpStatus status(String code) {
        return switch (code) {
            case "session_archived",
                    "session_busy",
                    "session_exists",
                    "turn_finished",
                    "no_active_turn",
                    "nothing_to_undo",
                    "no_memory",
                    "nothing_to_revert",
                    "handoff_taken",
                    "not_a_conversation",
                    "nothing_to_unrevert" -> HttpStatus.CONFLICT;
            case "not_yours", "not_allowed" -> HttpStatus.FORBIDDEN;
            case "too_large" -> HttpStatus.REQUEST_ENTITY_TOO_LARGE;
            case "queue_full", TurnRates.Busy.CODE -> HttpStatus.TOO_MANY_REQUESTS;
            case "unknown_session",
                    "unknown_turn",
                    "unknown_message",
                    "unknown_mark",
                    "unknown_approval",
                    "unknown_rule",
                    "unknown_call",
                    "unknown_reminder" -> HttpStatus.NOT_FOUND;
            case "unknown_agent",
                    "unknown_model",
                    "unknown_skill",
                    "empty_message",
                    "invalid_target",
                    "invalid_key",
                    "agent_not_primary",
                    "invalid_tools",
                    "tool_name_taken",
                    "unknown_tool",
                    "result_too_long",
                    "missing_field",
                    "invalid_field",
                    "invalid_part",
                    "invalid_text",
                    "too_many_parts",
                    "too_many_marks" -> HttpStatus.BAD_REQUEST;
            default -> HttpStatus.CONFLICT; // a code of a newer release
        };
    }
}
