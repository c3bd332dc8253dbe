package dev.parley.channels.registry;

import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.platform.http.Problem;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

/** Maps all errors on these routes to the registry's format, including those of the server itself. */
@ServerFilter("/registry/**")
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class RegistryErrors {
    @ResponseFilter
    void mapProblem(MutableHttpResponse<?> response) {
        if (response.body() instanceof Problem problem) {
            write(response, code(problem.status()), problem.detail());
        }
    }

    /** What clients know for requests without a right has two more digits than the status. */
    private static int code(int status) {
        return status == 401 || status == 403 ? status * 100 + 1 : status;
    }

    private static MutableHttpResponse<?> write(MutableHttpResponse<?> response, int code, String message) {
        return response.contentType(RegistryController.MEDIA_TYPE)
                .body(ProtocolJson.bytes(
                        ProtocolJson.object().put("error_code", code).put("message", message)));
    }

    /** Handler of {@link RegistryException}. */
    @Singleton
    static final class Handler implements ExceptionHandler<RegistryException, HttpResponse<?>> {
        @Override
        @SuppressWarnings("rawtypes") // as the interface has it
        public HttpResponse<?> handle(HttpRequest request, RegistryException e) {
            return write(HttpResponse.status(e.status()), e.code(), String.valueOf(e.getMessage()));
        }
    }
}
