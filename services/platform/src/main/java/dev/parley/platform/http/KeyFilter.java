package dev.parley.platform.http;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.filter.ServerFilterPhase;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lets nobody in without a key, except to what is open on purpose. A caller shows the key as
 * {@code Authorization: Bearer KEY}, or a ticket where a browser opens a stream.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Requires(property = "parley.admin-key")
final class KeyFilter implements Ordered {
    private static final List<String> OPEN = List.of("/health", "/openapi", "/registry", "/telegram", "/hooks");
    private static final List<String> CLOSED = List.of("/v1", "/prometheus");
    private static final String BEARER = "bearer ";

    private final Callers callers;
    private final Tickets tickets;
    private final boolean loopback;

    KeyFilter(Callers callers, Tickets tickets, @Value("${parley.bind:127.0.0.1}") String bind) {
        this.callers = callers;
        this.tickets = tickets;
        this.loopback = isLoopback(bind);
    }

    @Override
    public int getOrder() {
        return ServerFilterPhase.SECURITY.order();
    }

    @RequestFilter
    void check(HttpRequest<?> request) {
        Optional<Caller> caller = header(request).flatMap(callers::byKey);
        if (caller.isEmpty()) {
            caller = ticket(request).flatMap(tickets::check);
        }
        caller.ifPresent(found -> request.setAttribute(Caller.ATTRIBUTE, found));
        if (caller.isEmpty() && closed(request)) {
            throw new ApiException(
                    HttpStatus.UNAUTHORIZED,
                    "unauthorized",
                    header(request).isPresent()
                            ? "The key is wrong."
                            : "This needs a key: send the header Authorization: Bearer KEY.");
        }
    }

    /** Closed unless it is open on purpose, so that a path that is spelled in an odd way is no way around. */
    private boolean closed(HttpRequest<?> request) {
        String path = request.getPath();
        if (loopback && under(path, "/prometheus")) {
            return false;
        }
        if (CLOSED.stream().anyMatch(prefix -> under(path, prefix))) {
            return true;
        }
        return OPEN.stream().noneMatch(prefix -> under(path, prefix) || path.startsWith(prefix + "."));
    }

    private static boolean under(String path, String prefix) {
        return path.equals(prefix) || path.startsWith(prefix + "/");
    }

    private static Optional<String> header(HttpRequest<?> request) {
        return request.getHeaders()
                .findFirst("Authorization")
                .filter(value -> value.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .map(value -> value.substring(BEARER.length()).strip());
    }

    private static Optional<String> ticket(HttpRequest<?> request) {
        String path = request.getPath();
        boolean stream = request.getMethod() == HttpMethod.GET && (path.endsWith("/events") || path.equals("/v1/ws"));
        @Nullable String ticket = stream ? request.getParameters().get("ticket") : null;
        return Optional.ofNullable(ticket);
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
