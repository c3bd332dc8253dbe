package dev.parley.channels.teams;

import dev.parley.channels.contract.SendFailure;
import dev.parley.channels.contract.SendFailure.Kind;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Microsoft refused a call, or did not answer. */
final class TeamsApiException extends Exception {
    private static final long serialVersionUID = 1;

    /** Nothing was done, and a retry may succeed. */
    private static final Set<Integer> REPEATABLE = Set.of(412, 429, 502, 504);

    /** The conversation, not the message, is missing. */
    private static final Set<String> CLOSED =
            Set.of("ConversationNotFound", "BotNotInConversationRoster", "ConversationBlockedByUser");

    /** Errors of streams: the stream has ended, or is none. */
    private static final String STREAM = "ContentStream";

    /** With the status 400: of a stream that is unknown. Markup that is refused has another code. */
    private static final Set<String> OF_STREAM = Set.of("BadRequest", "");

    private static final int BAD_REQUEST = 400;
    private static final int NO_ANSWER = 0;

    private final int status;
    private final String code;
    private final Kind kind;
    private final transient @Nullable Duration retryAfter;

    private TeamsApiException(
            int status,
            String code,
            Kind kind,
            String message,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
        this.code = code;
        this.kind = kind;
        this.retryAfter = retryAfter;
    }

    /** No answer came. */
    static TeamsApiException noAnswer(String message, boolean inDoubt) {
        return new TeamsApiException(NO_ANSWER, "", inDoubt ? Kind.IN_DOUBT : Kind.LATER, message, null, null);
    }

    /** A call that was not made, or made in vain without an effect. */
    static TeamsApiException of(Kind kind, String message, @Nullable Duration retryAfter) {
        return new TeamsApiException(NO_ANSWER, "", kind, message, retryAfter, null);
    }

    /**
     * A refused call about a conversation.
     *
     * @param code Microsoft's error code; may be empty
     * @param isNew whether it would have made a message; otherwise it changes one
     * @param message without secrets
     */
    static TeamsApiException refused(
            int status, String code, boolean isNew, String message, @Nullable Duration retryAfter) {
        return new TeamsApiException(status, code, kind(status, code, isNew), message, retryAfter, null);
    }

    private static Kind kind(int status, String code, boolean isNew) {
        if (REPEATABLE.contains(status)) {
            return Kind.LATER;
        }
        if (code.startsWith(STREAM)) {
            return Kind.GONE;
        }
        if (CLOSED.contains(code)) {
            return Kind.CLOSED;
        }
        return switch (status) {
            case 401 -> Kind.REVOKED;
            case 403, 410 -> Kind.CLOSED;
            case 404 -> isNew ? Kind.CLOSED : Kind.GONE;
            case 408 -> Kind.IN_DOUBT;
            default -> status >= 500 || status < 300 ? Kind.IN_DOUBT : Kind.REFUSED;
        };
    }

    /** The HTTP status; 0 without an answer. */
    int status() {
        return status;
    }

    /** Whether a stream has ended or is refused, and nothing else is wrong. */
    boolean isOfStream() {
        return code.startsWith(STREAM) || (status == BAD_REQUEST && OF_STREAM.contains(code));
    }

    /** Whether the user ended the stream. Only the text of the error says so. */
    boolean isOfUser() {
        String text = String.valueOf(getMessage()).toLowerCase(Locale.ROOT);
        return code.startsWith(STREAM) && (text.contains("canceled by user") || text.contains("cancelled by user"));
    }

    /** The consequence for a message. */
    Kind kind() {
        return kind;
    }

    @Nullable
    Duration retryAfter() {
        return retryAfter;
    }

    /** Whether a retry may help. */
    boolean isTransient() {
        return kind == Kind.LATER || kind == Kind.IN_DOUBT;
    }

    SendFailure toSendFailure() {
        return new SendFailure(kind, String.valueOf(getMessage()), retryAfter, this);
    }
}
