package dev.parley.platform.http.signin;

import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Callers;
import dev.parley.platform.http.network.PublicUrl;
import dev.parley.platform.http.signin.SignedClaim.Valid;
import dev.parley.platform.sealing.InstallationKey.Purpose;
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
 * Authentication of pages of this server by a cookie instead of a key, which scripts cannot read. It is valid as long
 * as the key that it was created with, until the browser signs out, and only for requests of pages of this server
 * (CSRF).
 */
@Singleton
@Requires(property = "parley.admin-key")
public final class BrowserSignIn {
    /** Name of the cookie that authenticates. */
    static final String COOKIE = "parley-sign-in";

    /** Header of all requests that change something: pages of other servers cannot send it. */
    public static final String HEADER = "Parley-Page";

    /** Name of the cookie with the refresh token, which is only sent to the path that refreshes it. */
    public static final String REFRESH = "parley-refresh";

    private static final String REFRESH_PATH = "/v1/auth/refresh";

    private static final Duration KEY_LIFETIME = Duration.ofHours(12);

    /** Lifetime of the cookies of a sign-in, which ends earlier if it is not refreshed. */
    private static final Duration SIGN_IN_LIFETIME = Duration.ofDays(30);

    private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD);

    private final SignedClaim claims;
    private final PublicUrl url;
    private final EndedCookies ended;

    @Inject
    BrowserSignIn(Callers callers, ClaimKeys keys, PublicUrl url, EndedCookies ended) {
        this(callers, keys, url, ended, Clock.systemUTC());
    }

    BrowserSignIn(Callers callers, ClaimKeys keys, PublicUrl url, EndedCookies ended, Clock clock) {
        this.claims = new SignedClaim(keys.macs(Purpose.COOKIES), callers, clock);
        this.url = url;
        this.ended = ended;
    }

    /** The cookie of a caller. */
    public Cookie cookie(Caller caller) {
        Duration life = caller.key().kind() == KeyKind.SIGN_IN ? SIGN_IN_LIFETIME : KEY_LIFETIME;
        Instant end = claims.clock().instant().plus(life);
        return cookie(COOKIE, claims.issue(caller, end), life, "/");
    }

    /** The cookie that keeps the person signed in. */
    public Cookie refreshCookie(String refreshToken) {
        return cookie(REFRESH, refreshToken, SIGN_IN_LIFETIME, REFRESH_PATH);
    }

    /** Cookies that remove both. */
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

    /** Whether a request has the cookie, so that its {@link #caller} must be looked up. */
    public boolean mayHaveCaller(HttpRequest<?> request) {
        return value(request, COOKIE).isPresent();
    }

    /**
     * The caller of a request, if a page of this server makes it and its browser has not signed out. Reads the
     * database.
     */
    public Optional<Caller> caller(HttpRequest<?> request) {
        return claim(request).map(Valid::caller);
    }

    private Optional<Valid> claim(HttpRequest<?> request) {
        return value(request, COOKIE).flatMap(claims::check).filter(valid -> !ended.has(valid.id()));
    }

    /** Ends the cookie of a request, so that no copy of it is valid; returns its caller. */
    public Optional<Caller> end(HttpRequest<?> request) {
        Optional<Valid> claim = claim(request);
        claim.ifPresent(valid -> ended.end(valid.id(), valid.end()));
        return claim.map(Valid::caller);
    }

    /** The value of a cookie, if a page of this server makes the request. */
    public Optional<String> value(HttpRequest<?> request, String name) {
        Optional<String> value =
                request.getCookies().findCookie(name).map(Cookie::getValue).filter(text -> !text.isEmpty());
        return value.filter(text -> isOwnPage(request));
    }

    /** Browsers send the site of a request; old ones only the origin, or nothing for reads. */
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
        String requested =
                (url.isSecure() ? "https://" : "http://") + request.getHeaders().get("Host");
        String publicUrl = url.of("").toString();
        return origin.equals(requested) || publicUrl.equals(origin) || publicUrl.startsWith(origin + "/");
    }
}
