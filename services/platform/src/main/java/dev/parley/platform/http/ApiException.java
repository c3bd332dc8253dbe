package dev.parley.platform.http;

import io.micronaut.http.HttpStatus;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request that is answered with a problem: a code for programs and a message for people. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final HttpStatus status;
    private final String code;
    private final transient @Nullable Duration retryAfter;
    private final @Nullable String etag;

    /**
     * @param code a word such as {@code unknown_session}
     * @param message what is wrong, and where possible what to do about it
     */
    public ApiException(HttpStatus status, String code, String message) {
        this(status, code, message, null, null);
    }

    private ApiException(
            HttpStatus status, String code, String message, @Nullable Duration retryAfter, @Nullable String etag) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.retryAfter = retryAfter;
        this.etag = etag;
    }

    /** The same problem, which is worth another try after a while. */
    public ApiException retryAfter(Duration wait) {
        return new ApiException(status, code, getMessage(), wait, etag);
    }

    /** The same problem, with the tag of the version that there is now. */
    public ApiException etag(String tag) {
        return new ApiException(status, code, getMessage(), retryAfter, tag);
    }

    /** A request that cannot be understood. */
    public static ApiException badRequest(String code, String message) {
        return new ApiException(HttpStatus.BAD_REQUEST, code, message);
    }

    /** A thing that does not exist, or that the caller may not see. */
    public static ApiException notFound(String code, String message) {
        return new ApiException(HttpStatus.NOT_FOUND, code, message);
    }

    /** Something larger than it may be. */
    public static ApiException tooLarge(String message) {
        return new ApiException(HttpStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", message);
    }

    /** The status of the answer. */
    public HttpStatus status() {
        return status;
    }

    /** The word for programs. */
    public String code() {
        return code;
    }

    /** When to try again, where that is worth it. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** The tag of the version that there is now, where that was the problem. */
    public Optional<String> etag() {
        return Optional.ofNullable(etag);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
