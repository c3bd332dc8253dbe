package dev.parley.channels.openai;

import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolException.Failure;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RetryAfterHeader;
import dev.parley.platform.http.Correlation;
import dev.parley.platform.http.Problem;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
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
    "/v1/conversations/**",
    "/v1/completions/**",
    "/v1/embeddings/**",
    "/v1/projects/*/models/**",
    "/v1/projects/*/chat/completions/**",
    "/v1/projects/*/responses/**",
    "/v1/projects/*/conversations/**"
})
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
@Requires(property = "parley.role.channels", value = "true")
final class ProtocolErrors {
    private static final String REQUEST_ID = "x-request-id";
    private static final String SHOULD_RETRY = "x-should-retry";
    private static final String COMPLETIONS_NOT_STORED =
            " A completion is a turn of a session: read, delete (DELETE /v1/sessions/{key}) or erase (POST"
                    + " /v1/sessions/{key}/erase) the session, which the header Parley-Session of the answer names.";
    private static final String TOKENS_NOT_COUNTED =
            " What a model is sent is known when its turn runs: the usage of the response counts it.";

    @ResponseFilter
    void mapProblem(HttpRequest<?> request, MutableHttpResponse<?> response) {
        Correlation.of(request).ifPresent(id -> response.header(REQUEST_ID, id));
        if (response.body() instanceof Problem problem) {
            int status = problem.status();
            Failure failure = isNoRoute(problem)
                    ? Failure.of(status, "unsupported_endpoint", unsupported(request))
                    : Failure.of(status, ProtocolException.code(status, problem.code()), problem.detail());
            write(response, status == HttpStatus.CONFLICT.getCode() ? failure.asFinal() : failure);
        }
    }

    private static boolean isNoRoute(Problem problem) {
        return problem.status() == HttpStatus.METHOD_NOT_ALLOWED.getCode()
                || (problem.status() == HttpStatus.NOT_FOUND.getCode()
                        && problem.code().equals("not_found"));
    }

    private static String unsupported(HttpRequest<?> request) {
        String reason = request.getPath().contains("/chat/completions/")
                ? COMPLETIONS_NOT_STORED
                : request.getPath().endsWith("/input_tokens") ? TOKENS_NOT_COUNTED : "";
        return "%s %s is not supported.%s".formatted(request.getMethodName(), request.getPath(), reason);
    }

    /** Clients retry by status; a header marks errors for which a retry is useless. */
    private static void write(MutableHttpResponse<?> response, Failure failure) {
        if (failure.isFinal()) {
            response.header(SHOULD_RETRY, "false");
        }
        RetryAfterHeader.write(response, failure.retryAfter());
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
