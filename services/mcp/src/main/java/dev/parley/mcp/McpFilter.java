package dev.parley.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.http.Problem;
import dev.parley.platform.http.network.Network;
import dev.parley.platform.http.network.PublicUrl;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import org.jspecify.annotations.Nullable;

/** Rejects cross-origin requests, and reports a missing or wrong key in terms of the protocol. */
@ServerFilter("/mcp")
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class McpFilter {
    private static final int UNAUTHORIZED = 401;

    private final PublicUrl url;
    private final Origins origins;

    McpFilter(@Value("${parley.bind:127.0.0.1}") String bind, @Value("${parley.url:}") String set, PublicUrl url) {
        this.url = url;
        this.origins = new Origins(Network.isLoopback(bind, set), set, bind);
    }

    /** Rejects requests of pages of other sites. */
    @RequestFilter
    @Nullable
    HttpResponse<?> checkOrigin(HttpRequest<?> request) {
        String fault = origins.fault(request.getHeaders().get(HttpHeaders.ORIGIN));
        return fault == null
                ? null
                : HttpResponse.status(HttpStatus.FORBIDDEN)
                        .contentType(MediaType.APPLICATION_JSON_TYPE)
                        .body(McpJson.bytes(McpException.invalidRequest(fault).json(null)));
    }

    /** Maps problems of the API to errors of the protocol. */
    @ResponseFilter
    void mapProblem(MutableHttpResponse<?> response) {
        if (response.body() instanceof Problem problem) {
            ObjectNode error = McpJson.object()
                    .put("code", problem.status() < 500 ? McpException.INVALID_REQUEST : McpException.INTERNAL_ERROR)
                    .put("message", problem.detail());
            error.putObject("data").put("status", problem.status()).put("code", problem.code());
            response.contentType(MediaType.APPLICATION_JSON_TYPE)
                    .body(McpJson.bytes(McpException.message(null, error)));
            if (problem.status() == UNAUTHORIZED) {
                response.getHeaders().remove(HttpHeaders.WWW_AUTHENTICATE);
                response.header(HttpHeaders.WWW_AUTHENTICATE, challenge());
            }
        }
    }

    private String challenge() {
        return "Bearer realm=\"parley\", resource_metadata=\"%s\"".formatted(url.of(MetadataController.PATH + "/mcp"));
    }
}
