package dev.parley.channels.protocols;

import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.platform.http.ApiException;
import io.micronaut.http.HttpStatus;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request that is answered with an error of the protocol. */
public final class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Failure failure;

    /**
     * What went wrong.
     *
     * @param param the field of the request that is wrong, or null
     * @param retryAfter when to try again, or null
     * @param isFinal whether trying again gives the same, though the status may say otherwise to clients
     */
    public record Failure(
            int status,
            String code,
            @Nullable String param,
            String message,
            @Nullable Duration retryAfter,
            boolean isFinal) {
        /** A failure of no field. */
        public static Failure of(int status, String code, String message) {
            return new Failure(status, code, null, message, null, false);
        }

        /**
         * Why a turn failed. Parley has tried it as often as it is worth: that the client tries it again is no use.
         */
        public static Failure of(ErrorCategory category, String message) {
            Failure failure = switch (category) {
                case RATE_LIMIT -> of(429, "rate_limit_exceeded", message);
                case BUDGET -> of(429, INSUFFICIENT_QUOTA, message);
                case CONTENT_FILTER -> of(400, "content_filter", message);
                case CONTEXT_TOO_LONG -> of(400, "context_length_exceeded", message);
                case TIMEOUT, LOST -> of(504, category.code(), message);
                case OVERLOADED -> of(503, "overloaded", message);
                case CANCELLED -> of(409, "turn_cancelled", message);
                case AUTH, INVALID_REQUEST, NOT_FOUND, SERVER, NETWORK, UNKNOWN ->
                    of(502, category.code(), message); // what the model's provider refused is not the caller's fault
            };
            return failure.asFinal();
        }

        /** The same, which no second try makes better. */
        public Failure asFinal() {
            return new Failure(status, code, param, message, retryAfter, true);
        }

        /** The kind of error, in the protocol's words. */
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

    /** The code and type of an error that more money mends. */
    public static final String INSUFFICIENT_QUOTA = "insufficient_quota";

    public ProtocolException(Failure failure) {
        super(failure.message(), null, false, false);
        this.failure = failure;
    }

    /** What went wrong. */
    public Failure failure() {
        return failure;
    }

    /** A field that has a value which it cannot have. */
    public static ProtocolException invalid(@Nullable String param, String message) {
        return bad("invalid_value", param, message);
    }

    /** A field that is missing. */
    public static ProtocolException missing(String param) {
        return bad("missing_required_parameter", param, "Missing required parameter: '" + param + "'.");
    }

    /** A field, or a value of one, that Parley has nothing for. */
    public static ProtocolException unsupported(String param, String message) {
        return bad("unsupported_parameter", param, message);
    }

    public static ProtocolException bad(String code, @Nullable String param, String message) {
        return new ProtocolException(new Failure(400, code, param, message, null, false));
    }

    public static ProtocolException notFound(String code, @Nullable String param, String message) {
        return new ProtocolException(new Failure(HttpStatus.NOT_FOUND.getCode(), code, param, message, null, false));
    }

    /** What Parley's API says otherwise, in the words of the protocol. */
    public static Failure of(ApiException e) {
        Optional<Duration> wait = e.retryAfter();
        return new Failure(
                e.status().getCode(),
                code(e.status().getCode(), e.code()),
                null,
                e.getMessage(),
                wait.orElse(null),
                e.status() == HttpStatus.CONFLICT);
    }

    /** The protocol's word where it has one that clients know. */
    public static String code(int status, String code) {
        return status == 401 ? "invalid_api_key" : code;
    }
}
