package dev.parley.channels.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.a2a.A2aException.Failure;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RetryAfterHeader;
import dev.parley.platform.http.Problem;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Maps all errors on these routes to the protocol's format, including unknown paths and keys. */
@ServerFilter("/a2a/**")
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class RpcErrors {
    private static final String CARD = "/agent-card.json";
    private static final Pattern CALL = Pattern.compile("/a2a/[^/]+/[^/]+/?");

    @ResponseFilter
    void mapProblem(HttpRequest<?> request, MutableHttpResponse<?> response) {
        String path = request.getPath();
        if (response.body() instanceof Problem problem && !path.endsWith(CARD)) {
            Failure failure = A2aException.failure(problem.status(), problem.detail(), null);
            boolean isCall = CALL.matcher(path).matches();
            response.contentType(isCall ? MediaType.APPLICATION_JSON : RestController.JSON)
                    .body(ProtocolJson.bytes(isCall ? RpcRequest.error(null, failure) : RestErrors.error(failure)));
        }
    }

    /**
     * The response to a refused call.
     *
     * @param id of the call, or null
     */
    static HttpResponse<?> response(@Nullable JsonNode id, Failure failure) {
        var response = HttpResponse.status(HttpStatus.valueOf(failure.status()));
        RetryAfterHeader.write(response, failure.retryAfter());
        return response.contentType(MediaType.APPLICATION_JSON_TYPE)
                .body(ProtocolJson.bytes(RpcRequest.error(id, failure)));
    }
}
