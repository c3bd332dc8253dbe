package dev.parley.control.people;

import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.Nonce;
import dev.parley.control.identity.Handshake;
import dev.parley.platform.access.Token;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.PublicUrl;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Pending federated sign-ins. A response is accepted once, and only from the browser that started the sign-in. */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class IdentityRequests {
    /** How long somebody may take at the provider. */
    static final Duration TTL = Duration.ofMinutes(10);

    private final Database database;
    private final RequestRows rows;
    private final PublicUrl url;

    IdentityRequests(Database database, RequestRows rows, PublicUrl url) {
        this.database = database;
        this.rows = rows;
        this.url = url;
    }

    /**
     * Something to ask.
     *
     * @param redirect where they go in the end, or null
     * @param user who links an identity, or null where somebody signs in
     */
    record Asked(
            String provider,
            @Nullable URI redirect,
            @Nullable UUID user) {}

    /** Something that was begun. @param browser a secret that only the browser keeps */
    record Begun(Handshake handshake, String browser) {}

    /** Something that was asked, and how. */
    record Taken(Asked asked, Handshake handshake) {}

    private Handshake handshake(String provider, String state, Nonce nonce, CodeVerifier verifier) {
        return new Handshake(state, nonce, verifier, url.of("/v1/auth/oauth/" + provider + "/callback"));
    }

    /** Begins. */
    Begun begin(Asked asked) {
        Handshake handshake =
                handshake(asked.provider(), Token.random(), new Nonce(Token.random()), new CodeVerifier());
        String browser = Token.random();
        database.in(Tenant.ALL, () -> {
            rows.deleteEnded();
            rows.insert(
                    Token.hash(handshake.state()),
                    Token.hash(browser),
                    asked.provider(),
                    handshake.nonce().getValue(),
                    handshake.verifier().getValue(),
                    asked.redirect() == null ? null : asked.redirect().toString(),
                    asked.user(),
                    Instant.now().plus(TTL));
        });
        return new Begun(handshake, browser);
    }

    /** What was asked with this state from this browser; empty where nothing was, or where it was answered before. */
    Optional<Taken> consume(String provider, String state, String browser) {
        byte[] hash = Token.hash(state);
        Optional<RequestRow> request = database.in(Tenant.ALL, () -> {
            Optional<RequestRow> found = rows.locked(hash, Token.hash(browser), provider);
            found.ifPresent(row -> rows.delete(hash));
            return found;
        });
        return request.map(row -> taken(provider, state, row));
    }

    private Taken taken(String provider, String state, RequestRow row) {
        return new Taken(
                new Asked(provider, row.redirect() == null ? null : URI.create(row.redirect()), row.userId()),
                handshake(provider, state, new Nonce(row.nonce()), new CodeVerifier(row.verifier())));
    }
}
