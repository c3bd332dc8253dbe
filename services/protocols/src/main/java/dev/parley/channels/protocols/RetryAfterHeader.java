package dev.parley.channels.protocols;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.MutableHttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The HTTP header {@code Retry-After} of answers. */
public final class RetryAfterHeader {
    private RetryAfterHeader() {}

    /** Sets the header to at least one second; null sets nothing. */
    public static void write(MutableHttpResponse<?> response, @Nullable Duration wait) {
        if (wait != null) {
            response.header(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(1, wait.toSeconds())));
        }
    }
}
