package dev.parley.control.people;

import dev.parley.platform.access.BearerToken;
import dev.parley.platform.http.network.PublicUrl;
import dev.parley.platform.http.signin.ClaimKeys;
import dev.parley.platform.sealing.InstallationKey.Purpose;
import dev.parley.platform.sealing.MessageMacs;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.cookie.Cookie;
import io.micronaut.http.cookie.SameSite;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Marks of browsers in which somebody signed in with their password. A mark authenticates nobody; it only says that its
 * browser has known the password of this person, so that the guesses of others do not slow it down.
 */
@Singleton
final class KnownDevices {
    private static final String COOKIE = "parley-device";
    private static final String PATH = "/v1/auth/login";
    private static final Duration LIFE = Duration.ofDays(180);
    private static final int MAX_LENGTH = 300;
    private static final int PARTS = 3;

    private final MessageMacs macs;
    private final PublicUrl url;

    KnownDevices(ClaimKeys keys, PublicUrl url) {
        this.macs = keys.macs(Purpose.DEVICES);
        this.url = url;
    }

    /** A new mark of a browser in which this person signed in. */
    Cookie mark(UUID user) {
        String text = "%d.%s.%s".formatted(Instant.now().plus(LIFE).getEpochSecond(), user, BearerToken.random());
        return Cookie.of(COOKIE, text + "." + macs.sign(text.getBytes(StandardCharsets.UTF_8)))
                .path(PATH)
                .maxAge(LIFE.toSeconds())
                .httpOnly()
                .sameSite(SameSite.Strict)
                .secure(url.isSecure());
    }

    /** The id of the browser, if this person signed in with it before. */
    Optional<String> find(HttpRequest<?> request, UUID user) {
        return request.getCookies().findCookie(COOKIE).map(Cookie::getValue).flatMap(mark -> read(mark, user));
    }

    private Optional<String> read(String mark, UUID user) {
        String[] parts = mark.split("\\.", PARTS + 1);
        if (mark.length() > MAX_LENGTH || parts.length <= PARTS) {
            return Optional.empty();
        }
        String text = mark.substring(0, mark.length() - parts[PARTS].length() - 1);
        if (!macs.verifies(parts[PARTS], text.getBytes(StandardCharsets.UTF_8))) {
            return Optional.empty();
        }
        boolean valid = Instant.now().getEpochSecond() < Long.parseLong(parts[0]) && parts[1].equals(user.toString());
        return valid ? Optional.of(parts[2]) : Optional.empty();
    }
}
