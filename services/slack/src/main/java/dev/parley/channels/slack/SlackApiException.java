package dev.parley.channels.slack;

import dev.parley.channels.contract.SendFailure;
import dev.parley.channels.contract.SendFailure.Kind;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Slack refused a call, or did not answer. */
final class SlackApiException extends Exception {
    private static final long serialVersionUID = 1;

    /** No answer came. */
    static final String NO_ANSWER = "no_answer";

    private static final Set<String> TOO_FAST = Set.of("ratelimited", "rate_limited", "message_limit_exceeded");
    private static final Set<String> REVOKED = Set.of(
            "invalid_auth",
            "not_authed",
            "token_revoked",
            "token_expired",
            "account_inactive",
            "org_login_required",
            "team_access_not_granted",
            "not_allowed_token_type",
            "missing_scope",
            "no_permission",
            "ekm_access_denied",
            "two_factor_setup_required");
    private static final Set<String> CLOSED = Set.of(
            "channel_not_found",
            "is_archived",
            "not_in_channel",
            "user_not_found",
            "user_disabled",
            "users_not_found",
            "user_not_visible",
            "cannot_dm_bot",
            "messages_tab_disabled",
            "thread_not_found",
            "cannot_reply_to_message",
            "restricted_action",
            "restricted_action_read_only_channel",
            "restricted_action_thread_locked",
            "restricted_action_thread_only_channel",
            "restricted_action_non_threadable_channel");
    private static final Set<String> GONE = Set.of("message_not_found", "cant_update_message", "edit_window_closed");

    private static final Set<String> OF_MARKUP = Set.of(
            "invalid_blocks",
            "invalid_blocks_format",
            "invalid_attachments",
            "msg_blocks_too_long",
            "msg_too_long",
            "markdown_text_conflict",
            "invalid_chunks");

    /** Errors after which a call may have been carried out nevertheless. */
    private static final Set<String> IN_DOUBT =
            Set.of("fatal_error", "internal_error", "service_unavailable", "request_timeout");

    private final String error;
    private final boolean inDoubt;
    private final transient @Nullable Duration retryAfter;

    /**
     * @param error Slack's error code, or {@link #NO_ANSWER}
     *
     * @param message without secrets
     * @param inDoubt whether the call may have been carried out
     * @param retryAfter wait that Slack asks for, or null
     */
    SlackApiException(String error, String message, boolean inDoubt, @Nullable Duration retryAfter) {
        super(message);
        this.error = error;
        this.inDoubt = inDoubt || IN_DOUBT.contains(error);
        this.retryAfter = retryAfter;
    }

    boolean says(String... errors) {
        return Set.of(errors).contains(error);
    }

    /** Whether Slack refuses the form of a message, which it may accept in a simpler one. */
    boolean isOfMarkup() {
        return OF_MARKUP.contains(error);
    }

    @Nullable
    Duration retryAfter() {
        return retryAfter;
    }

    /** Whether a retry may help. */
    boolean isTransient() {
        return inDoubt || error.equals(NO_ANSWER) || TOO_FAST.contains(error);
    }

    /** Whether the call may have been carried out. */
    boolean isInDoubt() {
        return inDoubt;
    }

    /** The failure of a message that was not sent. */
    SendFailure toSendFailure(Kind kind) {
        return new SendFailure(kind, String.valueOf(getMessage()), retryAfter, this);
    }

    /** The consequence for a message. */
    Kind kind() {
        if (TOO_FAST.contains(error)) {
            return Kind.LATER;
        }
        if (inDoubt) {
            return Kind.IN_DOUBT;
        }
        if (error.equals(NO_ANSWER)) {
            return Kind.LATER;
        }
        return REVOKED.contains(error)
                ? Kind.REVOKED
                : CLOSED.contains(error) ? Kind.CLOSED : GONE.contains(error) ? Kind.GONE : Kind.REFUSED;
    }
}
