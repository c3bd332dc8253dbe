package dev.parley.platform.http;

import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.security.authentication.AuthorizationException;
import io.micronaut.security.authentication.DefaultAuthorizationExceptionHandler;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Renders the error of requests without a valid key. */
@Singleton
@Replaces(DefaultAuthorizationExceptionHandler.class)
@Requires(property = "parley.admin-key")
final class Unauthorized implements ExceptionHandler<AuthorizationException, MutableHttpResponse<?>> {
    /** Attribute of a request: the reason for the rejection of its token. */
    static final String REFUSAL = "parley.token-refusal";

    private final ApiExceptionHandler handler;

    Unauthorized(ApiExceptionHandler handler) {
        this.handler = handler;
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // as the interface has it
    public MutableHttpResponse<?> handle(HttpRequest request, AuthorizationException e) {
        Optional<ApiException> refusal = request.getAttribute(REFUSAL, ApiException.class);
        if (refusal.isPresent()) {
            return (MutableHttpResponse<?>) handler.handle(request, refusal.get());
        }
        boolean hasKey = request.getHeaders().contains("Authorization");
        return (MutableHttpResponse<?>) handler.handle(
                request,
                new ApiException(
                        HttpStatus.UNAUTHORIZED,
                        "unauthorized",
                        hasKey
                                ? "The key is wrong or has expired."
                                : "This needs a key: send the header Authorization: Bearer KEY."));
    }
}
