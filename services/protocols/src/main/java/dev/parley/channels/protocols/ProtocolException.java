package dev.parley.channels.protocols;

import dev.parley.domain.protocol.ErrorCategory;
import io.micronaut.http.HttpStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An error of a protocol. */
public final class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Failure failure;

    /**
     * An error.
     *
     * @param param the invalid field of the request, or null
     * @param retryAfter wait before a retry, or null
     * @param isFinal whether a retry is useless, though the status may suggest it
     */
    public record Failure(
            int status,
            String code,
            @Nullable String param,
            String message,
            @Nullable Duration retryAfter,
            boolean isFinal) {
        /** An error without a field. */
        public static Failure of(int status, String code, String message) {
            return new Failure(status, code, null, message, null, false);
        }

        /** The failure of a turn. Parley has already retried, so a retry by the client is useless. */
        public static Failure of(ErrorCategory category, String message) {
            Failure failure = switch (category) {
                case RATE_LIMIT -> of(429, "rate_limit_exceeded", message);
                case BUDGET -> of(429, INSUFFICIENT_QUOTA, message);
                case CONTENT_FILTER -> of(400, "content_filter", message);
                case CONTEXT_TOO_LONG -> of(400, "context_length_exceeded", message);
                case TIMEOUT, LOST -> of(504, category.code(), message);
                case OVERLOADED -> of(503, "overloaded", message);
                case CANCELLED -> of(409, "turn_cancelled", message);
                case AUTH, INVALID_REQUEST, INVALID_ANSWER, NOT_FOUND, SERVER, NETWORK, UNKNOWN ->
                    of(502, category.code(), message); // a refusal by the model's provider is not the caller's fault
            };
            return failure.asFinal();
        }

        /** A copy that is marked as final: clients do not retry. */
        public Failure asFinal() {
            return new Failure(status, code, param, message, retryAfter, true);
        }

        /** The type of the error in the protocol. */
        public String type() {
            if (code.equals(INSUFFICIENT_QUOTA)) {
                return INSUFFICIENT_QUOTA;
            }
            return switch (status) {
                case 401 -> "authentication_error";
                case 403 -> "permission_error";
                case 429 -> "rate_limit_error";
                default -> status >= 500 ? "server_error" : "invalid_request_error";
            };
        }
    }

    /** Code and type of an exhausted budget. */
    public static final String INSUFFICIENT_QUOTA = "insufficient_quota";

    public ProtocolException(Failure failure) {
        super(failure.message(), null, false, false);
        this.failure = failure;
    }

    public Failure failure() {
        return failure;
    }

    /** An invalid field. */
    public static ProtocolException invalid(@Nullable String param, String message) {
        return badRequest("invalid_value", param, message);
    }

    /** A missing field. */
    public static ProtocolException missing(String param) {
        return badRequest("missing_required_parameter", param, "Missing required parameter: '" + param + "'.");
    }

    /** An unsupported field or value. */
    public static ProtocolException unsupported(String param, String message) {
        return badRequest("unsupported_parameter", param, message);
    }

    public static ProtocolException badRequest(String code, @Nullable String param, String message) {
        return new ProtocolException(new Failure(400, code, param, message, null, false));
    }

    public static ProtocolException notFound(String code, @Nullable String param, String message) {
        return new ProtocolException(new Failure(HttpStatus.NOT_FOUND.getCode(), code, param, message, null, false));
    }

    /** The code that clients of the protocol know, where there is one. */
    public static String code(int status, String code) {
        return status == 401 ? "invalid_api_key" : code;
    }
}
