package dev.parley.channels.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.a2a.RpcException.Failure;
import dev.parley.channels.protocols.Json;
import dev.parley.platform.http.Problem;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import org.jspecify.annotations.Nullable;

/** Says what goes wrong in calls in the words of the protocol, whoever noticed it: also that there is no such path or key. */
@ServerFilter("/a2a/**")
@Order(Ordered.HIGHEST_PRECEDENCE)
@Requires(property = "parley.role.channels", value = "true")
final class RpcErrors {
    @ResponseFilter
    void answered(HttpRequest<?> request, MutableHttpResponse<?> response) {
        if (request.getMethod() == HttpMethod.POST && response.body() instanceof Problem problem) {
            Failure failure = RpcException.failure(problem.status(), problem.detail(), null);
            response.contentType(MediaType.APPLICATION_JSON_TYPE).body(Json.bytes(RpcRequest.error(null, failure)));
        }
    }

    /** The answer to a call that is refused. @param id of the call, or null */
    static HttpResponse<?> response(@Nullable JsonNode id, Failure failure) {
        var response = HttpResponse.status(HttpStatus.valueOf(failure.status()));
        if (failure.retryAfter() != null) {
            response.header(
                    HttpHeaders.RETRY_AFTER,
                    Long.toString(Math.max(1, failure.retryAfter().toSeconds())));
        }
        return response.contentType(MediaType.APPLICATION_JSON_TYPE).body(Json.bytes(RpcRequest.error(id, failure)));
    }
}
