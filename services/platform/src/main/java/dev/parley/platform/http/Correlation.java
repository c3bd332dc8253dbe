package dev.parley.platform.http;

import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.context.ServerRequestContext;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Assigns a correlation id to each request: that of its header, of its trace, or a new one. The response has the same
 * header.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class Correlation {
    /** Header of requests and responses. */
    public static final String HEADER = "X-Correlation-Id";

    private static final String ATTRIBUTE = "parley.correlation";
    private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._:-]{1,126}");
    private static final Pattern TRACE = Pattern.compile("00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}");

    @RequestFilter
    void onRequest(HttpRequest<?> request) {
        request.setAttribute(
                ATTRIBUTE,
                id(request.getHeaders().get(HEADER), request.getHeaders().get("traceparent")));
    }

    /** The id of a request with these headers. */
    public static String id(@Nullable String sent, @Nullable String parent) {
        return sent != null && VALID.matcher(sent).matches() ? sent : traceId(parent);
    }

    private static String traceId(@Nullable String parent) {
        Matcher trace = TRACE.matcher(parent == null ? "" : parent);
        return trace.matches() ? trace.group(1) : UUID.randomUUID().toString();
    }

    @ResponseFilter
    void onResponse(HttpRequest<?> request, MutableHttpResponse<?> response) {
        of(request).ifPresent(id -> response.header(HEADER, id));
    }

    /** The id of a request. */
    public static Optional<String> of(HttpRequest<?> request) {
        return request.getAttribute(ATTRIBUTE, String.class);
    }

    /** The id of the current request, if there is one. */
    public static Optional<String> current() {
        return ServerRequestContext.currentRequest().flatMap(Correlation::of);
    }
}
