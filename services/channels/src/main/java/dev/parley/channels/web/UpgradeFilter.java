package dev.parley.channels.web;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.netty.NettyHttpRequest;
import java.util.concurrent.CompletableFuture;

/**
 * Answers the request for a WebSocket on the thread of its connection. On another one, to which filters that may wait go, the
 * client has the answer before the connection is made a WebSocket, and what it says at once is lost.
 */
@ServerFilter("/v1/ws")
@Order(Ordered.HIGHEST_PRECEDENCE) // the last one to see a response
@Requires(property = "parley.role.channels", value = "true")
final class UpgradeFilter {
    /** The same answer, on the thread of the connection. */
    @ResponseFilter
    CompletableFuture<HttpResponse<?>> answered(HttpRequest<?> request, HttpResponse<?> response) {
        return request instanceof NettyHttpRequest<?> netty
                ? CompletableFuture.supplyAsync(
                        () -> response,
                        netty.getChannelHandlerContext().channel().eventLoop())
                : CompletableFuture.completedFuture(response);
    }
}
