package dev.parley.channels.a2a;

import dev.parley.channels.protocols.ProtocolException;
import dev.parley.platform.api.ApiAnswer;
import dev.parley.platform.http.ApiException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An error of the protocol. */
final class A2aException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final int OK = 200;

    private final transient Failure failure;

    /**
     * Errors of JSON-RPC and of A2A.
     *
     * @see #number
     */
    enum Code {
        PARSE_ERROR(-32700),
        INVALID_REQUEST(-32600),
        METHOD_NOT_FOUND(-32601),
        INVALID_PARAMS(-32602),
        INTERNAL_ERROR(-32603),
        /** The caller is unknown or lacks a capability. */
        UNAUTHORIZED(-32000),
        TASK_NOT_FOUND(-32001),
        TASK_NOT_CANCELABLE(-32002),
        PUSH_NOTIFICATION_NOT_SUPPORTED(-32003),
        UNSUPPORTED_OPERATION(-32004),
        CONTENT_TYPE_NOT_SUPPORTED(-32005),
        VERSION_NOT_SUPPORTED(-32009);

        private final int number;

        Code(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }
    }

    /**
     * An error.
     *
     * @param status HTTP status: 200 for errors of the protocol itself
     * @param retryAfter wait before a retry, or null
     */
    record Failure(
            int status, Code code, String message, @Nullable Duration retryAfter) {}

    A2aException(Code code, String message) {
        this(new Failure(OK, code, message, null));
    }

    private A2aException(Failure failure) {
        super(failure.message(), null, false, false);
        this.failure = failure;
    }

    Failure failure() {
        return failure;
    }

    static A2aException invalid(String message) {
        return new A2aException(Code.INVALID_PARAMS, message);
    }

    static A2aException noTask(String id) {
        return new A2aException(Code.TASK_NOT_FOUND, "The task '%s' does not exist or has expired.".formatted(id));
    }

    /** The error of the protocol for a refusal of any kind; throws other exceptions. */
    static A2aException of(RuntimeException e) {
        return switch (e) {
            case A2aException error -> error;
            case ProtocolException field -> invalid(field.failure().message());
            case ApiException problem -> of(problem);
            default -> throw e;
        };
    }

    /** A problem of Parley's API. */
    private static A2aException of(ApiException e) {
        int status = e.status().getCode();
        Optional<Duration> wait = e.retryAfter();
        return new A2aException(failure(status, String.valueOf(e.getMessage()), wait.orElse(null)));
    }

    /** An error response of Parley's API. */
    static A2aException of(ApiAnswer answer) {
        String wait = answer.retryAfter();
        String detail = answer.object()
                .map(problem -> problem.path("detail").textValue())
                .orElse("Parley's API answered with HTTP " + answer.status());
        return new A2aException(
                failure(answer.status(), detail, wait == null ? null : Duration.ofSeconds(Long.parseLong(wait))));
    }

    /** An HTTP problem. */
    static Failure failure(int status, String message, @Nullable Duration retryAfter) {
        return switch (status) {
            case 400, 409, 413 -> new Failure(OK, Code.INVALID_PARAMS, message, null);
            case 401, 403 -> new Failure(status, Code.UNAUTHORIZED, message, null);
            case 404, 405, 415 -> new Failure(status, Code.INVALID_REQUEST, message, null);
            default -> new Failure(status, Code.INTERNAL_ERROR, message, retryAfter);
        };
    }
}
