package dev.parley.platform.http;

import dev.parley.platform.http.signin.IssuedTokens;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renders an {@link ApiException}, and logs the cause of those that are no fault of the client. */
@Singleton
final class ApiExceptionHandler implements ExceptionHandler<ApiException, HttpResponse<?>> {
    private static final Logger LOG = LoggerFactory.getLogger(ApiExceptionHandler.class);

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public HttpResponse<?> handle(HttpRequest request, ApiException e) {
        if (e.status().getCode() >= 500 && e.getCause() != null) {
            // Without a stack trace: while a part is down, each request would log one.
            LOG.atWarn()
                    .addKeyValue("code", e.code())
                    .addKeyValue("reason", e.getCause()) // the throwable, by which the log knows repeated failures
                    .log("request failed");
        }
        MutableHttpResponse<?> response = HttpResponse.status(e.status());
        e.retryAfter()
                .ifPresent(
                        wait -> response.header(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(1, wait.toSeconds()))));
        e.etag().ifPresent(tag -> response.header(HttpHeaders.ETAG, tag));
        if (e.status().getCode() == 401) {
            response.header(HttpHeaders.WWW_AUTHENTICATE, challenge(e));
        }
        return response.contentType(Problem.MEDIA_TYPE).body(Problem.of(e, request.getPath()));
    }

    /** The challenge of RFC 6750, with the reason for which a token was rejected. */
    private static String challenge(ApiException e) {
        String realm = "Bearer realm=\"parley\"";
        return e.code().equals(IssuedTokens.INVALID)
                ? realm + ", error=\"invalid_token\", error_description=\""
                        + e.getMessage().replaceAll("[^ !#-\\[\\]-~]", "'") + "\""
                : realm;
    }
}
