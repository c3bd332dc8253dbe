package dev.parley.platform.http;

import dev.parley.domain.document.Fault;
import dev.parley.platform.document.InvalidDocumentException;
import io.micronaut.http.HttpStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An error response: a code for programs and a message for people. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final HttpStatus status;
    private final String code;
    private final transient @Nullable Duration retryAfter;
    private final @Nullable String etag;
    private final transient List<Fault> faults;

    /**
     * @param code a word such as {@code unknown_session}
     * @param message the problem, and if possible what to do about it
     */
    public ApiException(HttpStatus status, String code, String message) {
        this(status, code, message, null);
    }

    /**
     * @param code a word such as {@code unavailable}
     * @param message the problem, and if possible what to do about it
     * @param cause the exception behind the problem, for logs only, or null
     */
    public ApiException(HttpStatus status, String code, String message, @Nullable Throwable cause) {
        this(status, code, message, null, null, List.of(), cause);
    }

    private ApiException(
            HttpStatus status,
            String code,
            String message,
            @Nullable Duration retryAfter,
            @Nullable String etag,
            List<Fault> faults,
            @Nullable Throwable cause) {
        super(message, cause, false, false);
        this.status = status;
        this.code = code;
        this.retryAfter = retryAfter;
        this.etag = etag;
        this.faults = faults;
    }

    /** This problem, with the time after which to retry. */
    public ApiException retryAfter(Duration wait) {
        return new ApiException(status, code, getMessage(), wait, etag, faults, getCause());
    }

    /** This problem, with the entity tag of the current version. */
    public ApiException etag(String tag) {
        return new ApiException(status, code, getMessage(), retryAfter, tag, faults, getCause());
    }

    /**
     * An invalid definition.
     *
     * @param faults at least one
     */
    public static ApiException invalid(String code, List<Fault> faults) {
        String message = new InvalidDocumentException(faults).getMessage();
        return new ApiException(HttpStatus.BAD_REQUEST, code, message, null, null, List.copyOf(faults), null);
    }

    /** An invalid request. */
    public static ApiException badRequest(String code, String message) {
        return new ApiException(HttpStatus.BAD_REQUEST, code, message);
    }

    /** A resource that does not exist, or is hidden from the caller. */
    public static ApiException notFound(String code, String message) {
        return new ApiException(HttpStatus.NOT_FOUND, code, message);
    }

    /** A value that exceeds its limit. */
    public static ApiException tooLarge(String message) {
        return new ApiException(HttpStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", message);
    }

    /** The HTTP status. */
    public HttpStatus status() {
        return status;
    }

    /** The code for programs. */
    public String code() {
        return code;
    }

    /** The invalid fields of a definition; empty for other problems. */
    public List<Fault> faults() {
        return faults;
    }

    /** The time after which to retry, if that may help. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** The entity tag of the current version, after a version conflict. */
    public Optional<String> etag() {
        return Optional.ofNullable(etag);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
