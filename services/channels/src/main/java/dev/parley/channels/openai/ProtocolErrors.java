package dev.parley.channels.openai;

import dev.parley.channels.contract.RetryAfter;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolException.Failure;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.platform.http.Correlation;
import dev.parley.platform.http.Problem;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

/** Maps all errors on these routes to the protocol's format, including unknown paths and keys. */
@ServerFilter({
    "/v1/models/**",
    "/v1/chat/completions/**",
    "/v1/responses/**",
    "/v1/completions/**",
    "/v1/embeddings/**",
    "/v1/projects/*/models/**",
    "/v1/projects/*/chat/completions/**",
    "/v1/projects/*/responses/**"
})
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
@Requires(property = "parley.role.channels", value = "true")
final class ProtocolErrors {
    private static final String REQUEST_ID = "x-request-id";
    private static final String SHOULD_RETRY = "x-should-retry";
    private static final String NOT_DELETED =
            "An answer is a turn of a session, and others go on from it: delete the session (DELETE /v1/sessions/{key}) or erase it"
                    + " (POST /v1/sessions/{key}/erase). The header Parley-Session of the answer names it.";

    @ResponseFilter
    void mapProblem(HttpRequest<?> request, MutableHttpResponse<?> response) {
        Correlation.of(request).ifPresent(id -> response.header(REQUEST_ID, id));
        if (response.body() instanceof Problem problem) {
            int status = problem.status();
            String detail = deletesAnAnswer(request) && isNoRoute(status) ? NOT_DELETED : problem.detail();
            Failure failure = Failure.of(status, ProtocolException.code(status, problem.code()), detail);
            write(response, status == HttpStatus.CONFLICT.getCode() ? failure.asFinal() : failure);
        }
    }

    private static boolean deletesAnAnswer(HttpRequest<?> request) {
        return request.getMethod() == HttpMethod.DELETE && !request.getPath().contains("/models/");
    }

    private static boolean isNoRoute(int status) {
        return status == HttpStatus.METHOD_NOT_ALLOWED.getCode() || status == HttpStatus.NOT_FOUND.getCode();
    }

    /** Clients retry by status; a header marks errors for which a retry is useless. */
    private static void write(MutableHttpResponse<?> response, Failure failure) {
        if (failure.isFinal()) {
            response.header(SHOULD_RETRY, "false");
        }
        RetryAfter.write(response, failure.retryAfter());
        response.contentType(MediaType.APPLICATION_JSON_TYPE).body(ProtocolJson.bytes(ErrorJson.of(failure)));
    }

    /** Handler of {@link ProtocolException}. */
    @Singleton
    @Requires(property = "parley.role.channels", value = "true")
    static final class Handler implements ExceptionHandler<ProtocolException, HttpResponse<?>> {
        @Override
        @SuppressWarnings("rawtypes") // as the interface has it
        public HttpResponse<?> handle(HttpRequest request, ProtocolException e) {
            MutableHttpResponse<?> response =
                    HttpResponse.status(HttpStatus.valueOf(e.failure().status()));
            write(response, e.failure());
            return response;
        }
    }
}
