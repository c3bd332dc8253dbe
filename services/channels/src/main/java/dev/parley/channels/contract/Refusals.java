package dev.parley.channels.contract;

import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Rights.Decision;
import dev.parley.domain.protocol.Outcome;
import dev.parley.platform.http.ApiException;
import io.micronaut.http.HttpStatus;
import java.time.Duration;

/** HTTP problems of refused or failed commands. */
public final class Refusals {
    private static final Duration RETRY_DELAY = Duration.ofSeconds(2);

    private Refusals() {}

    /** The problem of a refusal. */
    public static ApiException problem(Outcome.Refused refused) {
        String message = refused.message();
        String sentence = message.isEmpty() ? message : Character.toUpperCase(message.charAt(0)) + message.substring(1);
        var problem = new ApiException(status(refused.code()), refused.code(), sentence);
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
        return switch (e.reason()) {
            case TOO_LARGE -> ApiException.tooLarge("The message is larger than 8 MiB; send large texts as files.");
            case OVERLOADED -> later("overloaded", "Too many commands are in flight here.", e);
            case AWAY -> later("unavailable", "Kafka does not accept commands now.", e);
        };
    }

    private static ApiException later(String code, String reason, UnavailableException cause) {
        String message = reason + " Send the request again with the same id: it counts once.";
        return new ApiException(HttpStatus.SERVICE_UNAVAILABLE, code, message, cause).retryAfter(RETRY_DELAY);
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
                    "nothing_to_unrevert" -> HttpStatus.CONFLICT;
            case "not_yours" -> HttpStatus.FORBIDDEN;
            case "queue_full", TurnRates.Busy.CODE -> HttpStatus.TOO_MANY_REQUESTS;
            case "unknown_session",
                    "unknown_turn",
                    "unknown_message",
                    "unknown_mark",
                    "unknown_approval",
                    "unknown_rule",
                    "unknown_call" -> HttpStatus.NOT_FOUND;
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
                    "too_many_marks" -> HttpStatus.BAD_REQUEST;
            default -> HttpStatus.CONFLICT; // a code of a newer release
        };
    }
}
