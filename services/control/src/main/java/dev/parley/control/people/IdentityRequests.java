package dev.parley.control.people;

import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.Nonce;
import dev.parley.control.http.Columns;
import dev.parley.control.identity.Handshake;
import dev.parley.platform.access.Token;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.PublicUrl;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.net.URI;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What was asked of other providers and is not answered yet. An answer is taken once, from the browser that asked. */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class IdentityRequests {
    /** How long somebody may take at the provider. */
    static final Duration LIFE = Duration.ofMinutes(10);

    private final Database database;
    private final PublicUrl url;

    IdentityRequests(Database database, PublicUrl url) {
        this.database = database;
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
        database.in(Tenant.ALL, transaction -> {
            transaction.update("DELETE FROM control.identity_request_t WHERE expires_ts < now()");
            return transaction.update(
                    """
                    INSERT INTO control.identity_request_t (state_hash, browser_hash, provider, nonce, verifier, redirect, user_id,
                      expires_ts) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    Token.hash(handshake.state()),
                    Token.hash(browser),
                    asked.provider(),
                    handshake.nonce().getValue(),
                    handshake.verifier().getValue(),
                    asked.redirect() == null ? null : asked.redirect().toString(),
                    asked.user(),
                    Instant.now().plus(LIFE));
        });
        return new Begun(handshake, browser);
    }

    /** What was asked with this state from this browser; empty where nothing was, or where it was answered before. */
    Optional<Taken> take(String provider, String state, String browser) {
        return database.in(
                Tenant.ALL,
                transaction -> transaction.query(
                        """
                        DELETE FROM control.identity_request_t
                        WHERE state_hash = ? AND browser_hash = ? AND provider = ? AND expires_ts > now()
                        RETURNING nonce, verifier, redirect, user_id
                        """,
                        row -> Columns.first(row, one -> taken(provider, state, one)),
                        Token.hash(state),
                        Token.hash(browser),
                        provider));
    }

    private Taken taken(String provider, String state, ResultSet row) throws SQLException {
        String redirect = row.getString("redirect");
        return new Taken(
                new Asked(provider, redirect == null ? null : URI.create(redirect), Columns.uuidOrNull(row, "user_id")),
                handshake(
                        provider,
                        state,
                        new Nonce(row.getString("nonce")),
                        new CodeVerifier(row.getString("verifier"))));
    }
}
