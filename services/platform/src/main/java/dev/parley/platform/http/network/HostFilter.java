package dev.parley.platform.http.network;

import dev.parley.platform.collection.RecentCounts;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Authority;
import dev.parley.platform.http.CallerFetcher;
import dev.parley.platform.http.Problem;
import dev.parley.platform.http.signin.BrowserSignIn;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first filter of every request, also of those without a route: it refuses requests that call the server by a name
 * that is {@linkplain ServerNames not its own} (DNS rebinding), and actions of pages of other sites that need no key
 * (CSRF). A key or a ticket is sent on purpose, so requests with one may come from any page; cookies have
 * {@linkplain BrowserSignIn their own rule} for reads.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(Ordered.HIGHEST_PRECEDENCE)
final class HostFilter {
    private static final Logger LOG = LoggerFactory.getLogger(HostFilter.class);
    private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");
    private static final String HSTS = "Strict-Transport-Security";
    private static final Duration LOG_WINDOW = Duration.ofMinutes(10);
    private static final int MAX_LOGGED = 100;

    private final ServerNames names;
    private final ClientAddress clients;
    private final @Nullable String transport;
    private final RecentCounts logged = new RecentCounts(LOG_WINDOW, MAX_LOGGED);

    HostFilter(
            ServerNames names,
            ClientAddress clients,
            @Value("${parley.url:}") String url,
            @Value("${parley.hsts:31536000}") long hsts) {
        this.names = names;
        this.clients = clients;
        this.transport = url.startsWith("https:") && hsts > 0 ? "max-age=" + hsts : null;
    }

    /** A refusal, or null. */
    @RequestFilter
    @Nullable
    HttpResponse<?> check(HttpRequest<?> request) {
        try {
            checkOrigin(request, checkNames(request));
            return null;
        } catch (ApiException e) {
            return HttpResponse.status(e.status())
                    .contentType(Problem.MEDIA_TYPE)
                    .header(HttpHeaders.CONNECTION, "close")
                    .body(Problem.of(e.status(), e.code(), e.getMessage(), request.getPath()));
        }
    }

    /** Checks all names in a request; returns the one that the client used. */
    private Authority checkNames(HttpRequest<?> request) {
        InetAddress local = request.getServerAddress().getAddress();
        List<String> sent = request.getHeaders().getAll(HttpHeaders.HOST);
        if (sent.size() > 1) {
            throw invalid("The request has several headers Host.");
        }
        var called = new ArrayList<>(sent);
        target(request).ifPresent(called::add);
        called.addAll(clients.forwarded(request).hosts());
        if (called.isEmpty() && isOld(request)) {
            return new Authority(
                    local.getHostAddress(), request.getServerAddress().getPort()); // needs no Host
        }
        if (sent.isEmpty()) {
            throw invalid("The request has no header Host.");
        }
        Authority last = null;
        for (String name : called) {
            last = check(name, local);
        }
        return Objects.requireNonNull(last);
    }

    /** Whether the version of the protocol has no {@code Host}; browsers use none of these. */
    private static boolean isOld(HttpRequest<?> request) {
        return request instanceof NettyHttpRequest<?> netty
                && netty.getNativeRequest().protocolVersion().compareTo(HttpVersion.HTTP_1_1) < 0;
    }

    private Authority check(String text, InetAddress local) {
        Authority name =
                Authority.parse(text).orElseThrow(() -> invalid("The header Host is not a host name and a port."));
        if (!names.has(name, local)) {
            if (logged.add(name.host()) == 1) {
                LOG.atWarn().addKeyValue("host", name.host()).log("request refused: not a name of this server");
            }
            throw new ApiException(
                    HttpStatus.MISDIRECTED_REQUEST,
                    "unknown_host",
                    "This server is not called '%s': use the address in PARLEY_URL, or let the operator add the name to PARLEY_HOSTS."
                            .formatted(name.host()));
        }
        return name;
    }

    private static ApiException invalid(String problem) {
        return ApiException.badRequest("invalid_host", problem);
    }

    /** The name in an absolute request target, which counts in place of the header. */
    private static Optional<String> target(HttpRequest<?> request) {
        String target = request instanceof NettyHttpRequest<?> netty
                ? netty.getNativeRequest().uri()
                : request.getUri().toString();
        if (target.startsWith("/") || target.equals("*")) {
            return Optional.empty();
        }
        int scheme = target.indexOf("://");
        String rest = scheme < 0 ? target : target.substring(scheme + 3);
        return Optional.of(rest.split("[/?#]", 2)[0]);
    }

    private void checkOrigin(HttpRequest<?> request, Authority called) {
        HttpHeaders headers = request.getHeaders();
        boolean handshake = "websocket".equalsIgnoreCase(headers.get(HttpHeaders.UPGRADE));
        boolean ticket = handshake && request.getParameters().contains("ticket");
        if ((READING.contains(request.getMethod()) && !handshake)
                || headers.contains(HttpHeaders.AUTHORIZATION)
                || headers.contains(CallerFetcher.API_KEY)
                || ticket) {
            return;
        }
        String origin = headers.get(HttpHeaders.ORIGIN);
        String site = headers.get("Sec-Fetch-Site");
        boolean own = origin == null ? site == null || OWN_SITES.contains(site) : names.isOwn(origin, called);
        if (!own || headers.getAll(HttpHeaders.ORIGIN).size() > 1) {
            throw new ApiException(
                    HttpStatus.FORBIDDEN, "foreign_origin", "Pages of other sites may not do this without a key.");
        }
    }

    /** Tells browsers to use TLS from now on, where the public URL does and the request came by it. */
    @ResponseFilter
    void onResponse(HttpRequest<?> request, MutableHttpResponse<?> response) {
        if (transport != null && !"http".equals(clients.forwarded(request).scheme())) {
            response.header(HSTS, transport);
        }
    }
}
