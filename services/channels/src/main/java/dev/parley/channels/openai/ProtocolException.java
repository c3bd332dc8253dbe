package dev.parley.channels.openai;

import dev.parley.platform.http.ApiException;
import io.micronaut.http.HttpStatus;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request that is answered with an error of the protocol. */
final class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Failure failure;

    /**
     * What went wrong.
     *
     * @param param the field of the request that is wrong, or null
     * @param retryAfter when to try again, or null
     * @param isFinal whether trying again gives the same, though the status may say otherwise to clients
     */
    record Failure(
            int status,
            String code,
            @Nullable String param,
            String message,
            @Nullable Duration retryAfter,
            boolean isFinal) {
        static Failure of(int status, String code, String message) {
            return new Failure(status, code, null, message, null, false);
        }

        Failure asFinal() {
            return new Failure(status, code, param, message, retryAfter, true);
        }

        /** The kind of error, in the protocol's words. */
        String type() {
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
    static final String INSUFFICIENT_QUOTA = "insufficient_quota";

    ProtocolException(Failure failure) {
        super(failure.message(), null, false, false);
        this.failure = failure;
    }

    Failure failure() {
        return failure;
    }

    /** A field that has a value which it cannot have. */
    static ProtocolException invalid(@Nullable String param, String message) {
        return bad("invalid_value", param, message);
    }

    /** A field that is missing. */
    static ProtocolException missing(String param) {
        return bad("missing_required_parameter", param, "Missing required parameter: '" + param + "'.");
    }

    /** A field, or a value of one, that Parley has nothing for. */
    static ProtocolException unsupported(String param, String message) {
        return bad("unsupported_parameter", param, message);
    }

    static ProtocolException bad(String code, @Nullable String param, String message) {
        return new ProtocolException(new Failure(400, code, param, message, null, false));
    }

    static ProtocolException notFound(String code, @Nullable String param, String message) {
        return new ProtocolException(new Failure(HttpStatus.NOT_FOUND.getCode(), code, param, message, null, false));
    }

    /** What Parley's API says otherwise, in the words of the protocol. */
    static Failure of(ApiException e) {
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
    static String code(int status, String code) {
        return status == 401 ? "invalid_api_key" : code;
    }
}
