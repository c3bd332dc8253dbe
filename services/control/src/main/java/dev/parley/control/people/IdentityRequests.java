package dev.parley.control.people;

import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.Nonce;
import dev.parley.control.identity.Handshake;
import dev.parley.domain.Sha256;
import dev.parley.platform.access.BearerToken;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.network.PublicUrl;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Pending federated sign-ins. A response is accepted once, and only from the browser that started the sign-in. */
@Singleton
final class IdentityRequests {
    /** The lifetime of a pending request. */
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
     * A request to sign in, or to link an identity.
     *
     * @param redirect final redirect, or null
     * @param user the person who links an identity, or null for a sign-in
     */
    record SignInRequest(
            String provider,
            @Nullable URI redirect,
            @Nullable UUID user) {}

    /**
     * A started request.
     *
     * @param browser a secret that only the browser has
     */
    record StartedRequest(Handshake handshake, String browser) {}

    /** A request that has received its response; it cannot be used again. */
    record ConsumedRequest(SignInRequest request, Handshake handshake) {}

    private Handshake handshake(String provider, String state, Nonce nonce, CodeVerifier verifier) {
        return new Handshake(state, nonce, verifier, url.of("/v1/auth/oauth/" + provider + "/callback"));
    }

    /** Stores a request. */
    StartedRequest begin(SignInRequest request) {
        Handshake handshake = handshake(
                request.provider(), BearerToken.random(), new Nonce(BearerToken.random()), new CodeVerifier());
        String browser = BearerToken.random();
        database.in(Tenant.ALL, () -> {
            rows.deleteEnded();
            rows.insert(
                    Sha256.of(handshake.state()),
                    Sha256.of(browser),
                    request.provider(),
                    handshake.nonce().getValue(),
                    handshake.verifier().getValue(),
                    request.redirect() == null ? null : request.redirect().toString(),
                    request.user(),
                    Instant.now().plus(TTL));
        });
        return new StartedRequest(handshake, browser);
    }

    /** Removes and returns the pending request with this state of this browser; empty where none exists. */
    Optional<ConsumedRequest> consume(String provider, String state, String browser) {
        byte[] hash = Sha256.of(state);
        Optional<RequestRow> request = database.in(Tenant.ALL, () -> {
            Optional<RequestRow> found = rows.locked(hash, Sha256.of(browser), provider);
            found.ifPresent(_ -> rows.delete(hash));
            return found;
        });
        return request.map(row -> toConsumedRequest(provider, state, row));
    }

    private ConsumedRequest toConsumedRequest(String provider, String state, RequestRow row) {
        return new ConsumedRequest(
                new SignInRequest(provider, row.redirect() == null ? null : URI.create(row.redirect()), row.userId()),
                handshake(provider, state, new Nonce(row.nonce()), new CodeVerifier(row.verifier())));
    }
}
