package dev.parley.platform.http;

import dev.parley.domain.access.AccessRecord.KeyKind;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.cookie.Cookie;
import io.micronaut.http.cookie.SameSite;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a page of this server knows who is in front of it: a cookie that scripts cannot read, in place of a key. It is good as long as the
 * key that it was made with, and only for requests that come from a page of this server: others' pages can neither read by it nor change
 * anything.
 */
@Singleton
@Requires(property = "parley.admin-key")
public final class BrowserSignIn {
    /** The cookie. */
    static final String COOKIE = "parley-sign-in";

    /** What a page of this server sends with whatever changes something: pages of other servers may not send it. */
    public static final String HEADER = "Parley-Page";

    /** The cookie that keeps somebody signed in: their refresh token, which only the path that refreshes it gets. */
    public static final String REFRESH = "parley-refresh";

    private static final String REFRESH_PATH = "/v1/auth/refresh";

    private static final Duration OF_A_KEY = Duration.ofHours(12);

    /** A sign-in ends when it is not refreshed, which is sooner. */
    private static final Duration OF_A_SIGN_IN = Duration.ofDays(30);

    private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD);

    private final SignedClaim claims;
    private final PublicUrl url;

    @Inject
    BrowserSignIn(Callers callers, PublicUrl url) {
        this(callers, url, Clock.systemUTC());
    }

    BrowserSignIn(Callers callers, PublicUrl url, Clock clock) {
        this.claims = new SignedClaim("parley browser 1", callers, clock);
        this.url = url;
    }

    /** The cookie of this caller. */
    public Cookie cookie(Caller caller) {
        Duration life = caller.key().kind() == KeyKind.SIGN_IN ? OF_A_SIGN_IN : OF_A_KEY;
        Instant end = claims.clock().instant().plus(life);
        return cookie(COOKIE, claims.issue(caller, end), life, "/");
    }

    /** The cookie that keeps the person signed in. */
    public Cookie refreshCookie(String refreshToken) {
        return cookie(REFRESH, refreshToken, OF_A_SIGN_IN, REFRESH_PATH);
    }

    /** What takes both cookies away. */
    public Set<Cookie> none() {
        return Set.of(cookie(COOKIE, "", Duration.ZERO, "/"), cookie(REFRESH, "", Duration.ZERO, REFRESH_PATH));
    }

    private Cookie cookie(String name, String value, Duration life, String path) {
        return Cookie.of(name, value)
                .path(path)
                .maxAge(life.toSeconds())
                .httpOnly()
                .sameSite(SameSite.Strict)
                .secure(url.isSecure());
    }

    /** Who is in front of the page that makes this request; empty where no page of this server makes it. */
    Optional<Caller> caller(HttpRequest<?> request) {
        return value(request, COOKIE).flatMap(claims::check);
    }

    /** A cookie's value; empty where no page of this server makes the request. */
    public Optional<String> value(HttpRequest<?> request, String name) {
        Optional<String> value =
                request.getCookies().findCookie(name).map(Cookie::getValue).filter(text -> !text.isEmpty());
        return value.filter(text -> isOwnPage(request));
    }

    /** Browsers say where a request comes from; very old ones only send the origin, or nothing where they only read. */
    private boolean isOwnPage(HttpRequest<?> request) {
        boolean reads = READING.contains(request.getMethod());
        if (!reads && !request.getHeaders().contains(HEADER)) {
            return false;
        }
        @Nullable String site = request.getHeaders().get("Sec-Fetch-Site");
        if (site != null) {
            return site.equals("same-origin") || (reads && site.equals("none"));
        }
        @Nullable String origin = request.getHeaders().get("Origin");
        return origin == null ? !isHandshake(request) : isOwn(origin, request);
    }

    private static boolean isHandshake(HttpRequest<?> request) {
        return "websocket".equalsIgnoreCase(request.getHeaders().get("Upgrade"));
    }

    private boolean isOwn(String origin, HttpRequest<?> request) {
        String asked =
                (url.isSecure() ? "https://" : "http://") + request.getHeaders().get("Host");
        String publicOne = url.of("").toString();
        return origin.equals(asked) || publicOne.equals(origin) || publicOne.startsWith(origin + "/");
    }
}
