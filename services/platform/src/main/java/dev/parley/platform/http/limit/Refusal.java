package dev.parley.platform.http.limit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Correlation;
import dev.parley.platform.http.Problem;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;

/** The response to a request that reaches no route, in the API's form; the connection ends with it. */
final class Refusal {
    private Refusal() {}

    static FullHttpResponse of(Exchange exchange, ApiException fault) {
        byte[] body =
                json(Problem.of(fault.status(), fault.code(), fault.getMessage(), BodyLimits.path(exchange.uri())));
        var response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(fault.status().getCode()),
                Unpooled.wrappedBuffer(body));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, Problem.MEDIA_TYPE)
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE)
                .set(
                        Correlation.HEADER,
                        Correlation.id(
                                exchange.headers().get(Correlation.HEADER),
                                exchange.headers().get("traceparent")));
        fault.retryAfter().ifPresent(wait -> response.headers().set(HttpHeaderNames.RETRY_AFTER, wait.toSeconds()));
        return response;
    }

    private static byte[] json(Problem problem) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("type", problem.type())
                .put("title", problem.title())
                .put("status", problem.status())
                .put("detail", problem.detail())
                .put("code", problem.code())
                .put("instance", problem.instance())
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }
}
