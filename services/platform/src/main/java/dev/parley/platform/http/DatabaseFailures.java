package dev.parley.platform.http;

import dev.parley.platform.database.Sql.FailedException;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps database failures to responses: unavailable, invalid values, or an internal error. */
@Singleton
final class DatabaseFailures implements ExceptionHandler<FailedException, HttpResponse<?>> {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseFailures.class);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(2);

    private static final String CANCELLED = "57014";

    private final ApiExceptionHandler handler;

    DatabaseFailures(ApiExceptionHandler handler) {
        this.handler = handler;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public HttpResponse<?> handle(HttpRequest request, FailedException e) {
        return handler.handle(request, problem(e));
    }

    private static ApiException problem(FailedException e) {
        if (e.state().startsWith("22")) {
            return ApiException.badRequest("invalid_value", "A value has characters or a size that cannot be kept");
        }
        if (e.state().equals(CANCELLED)) {
            return new ApiException(
                    HttpStatus.SERVICE_UNAVAILABLE, "query_too_slow", "The query took too long: ask for less");
        }
        if (e.isUnavailable()) {
            return new ApiException(
                            HttpStatus.SERVICE_UNAVAILABLE, "unavailable", "The database does not answer; try again")
                    .retryAfter(RETRY_DELAY);
        }
        LOG.atError().setCause(e).log("database refused a statement");
        return new ApiException(
                HttpStatus.INTERNAL_SERVER_ERROR,
                "internal_error",
                "The server failed to handle the request; its log has the cause");
    }
}
