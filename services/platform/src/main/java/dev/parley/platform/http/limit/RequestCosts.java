package dev.parley.platform.http.limit;

import dev.parley.platform.http.Caller;
import dev.parley.platform.http.EventStream;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.filter.ServerFilterPhase;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.micronaut.web.router.RouteAttributes;
import io.micronaut.web.router.RouteInfo;
import io.micronaut.web.router.RouteMatch;
import io.netty.handler.codec.http.HttpUtil;
import java.util.Optional;

/**
 * Takes what a request costs, once its caller is known and permitted and before its body is read: room for the body,
 * and a place among the streams for every route that can stream. {@link HttpGate} has the limits.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
public final class RequestCosts implements Ordered {
    /** Only services with sockets have the class of the annotation. */
    private static final String SOCKET = "io.micronaut.websocket.annotation.ServerWebSocket";

    private final HttpGate gate;

    RequestCosts(HttpGate gate) {
        this.gate = gate;
    }

    @Override
    public int getOrder() {
        return ServerFilterPhase.SECURITY.after();
    }

    @RequestFilter
    void onRequest(HttpRequest<?> request) {
        if (request instanceof NettyHttpRequest<?> netty && netty.getNativeRequest() instanceof Exchange exchange) {
            take(request, exchange);
        }
    }

    /** A route that streams without a place would be outside the limits. */
    @ResponseFilter
    void onResponse(HttpRequest<?> request, HttpResponse<?> response) {
        if (response.body() instanceof EventStream
                && request instanceof NettyHttpRequest<?> netty
                && netty.getNativeRequest() instanceof Exchange exchange
                && !exchange.streams) {
            throw new IllegalStateException(
                    request.getPath() + " streams to a caller, which needs @Produces(TEXT_EVENT_STREAM)");
        }
    }

    private void take(HttpRequest<?> request, Exchange exchange) {
        Optional<Caller> caller = Caller.of(request);
        Optional<RouteMatch<?>> route = RouteAttributes.getRouteMatch(request);
        BodySize limit = route.map(match -> BodyLimits.of(request.getMethod(), match.getAnnotationMetadata()))
                .orElse(BodySize.SMALL);
        if (HttpUtil.getContentLength(exchange, 0L) > limit.bytes()) {
            throw BodyLimits.tooLarge(limit);
        }
        gate.charge(exchange, caller.map(RequestCosts::person).orElse(HttpGate.ANYBODY));
        if (caller.isPresent()
                && (upgrades(request)
                        || route.filter(match -> streams(match.getRouteInfo())).isPresent())) {
            Caller person = caller.get();
            gate.stream(
                    exchange,
                    person(person),
                    person.host().toString(),
                    !person.key().isInstallations());
        }
        if (caller.isPresent()) {
            exchange.admit();
        }
    }

    private static boolean upgrades(HttpRequest<?> request) {
        return request.getHeaders().contains(HttpHeaders.UPGRADE);
    }

    private static String person(Caller caller) {
        return caller.host() + "/" + caller.user();
    }

    /** Whether a route may keep its response open. */
    public static boolean streams(RouteInfo<?> route) {
        return route.getProduces().contains(MediaType.TEXT_EVENT_STREAM_TYPE)
                || route.getAnnotationMetadata().hasAnnotation(SOCKET);
    }
}
