package dev.parley.control.people;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.NewIds;
import dev.parley.control.outbox.PublicationBarrier;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.platform.access.Token;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Sign-ins and their tokens. An access token lasts an hour; a single-use refresh token of 30 days gets the next pair. A refresh
 * token presented again may be stolen, so its sign-in ends.
 */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class SignIns {
    /** How long a token is good. */
    static final Duration TOKEN_TTL = Duration.ofHours(1);

    private static final Duration REFRESH_TTL = Duration.ofDays(30);
    private static final int MAX_SIGN_INS = 50;
    private static final int REUSE_GRACE_SECONDS = 10;

    private final Database database;
    private final Audit audit;
    private final SignInRows rows;
    private final PublicationBarrier published;

    SignIns(Database database, SignInRows rows, PublicationBarrier published, Audit audit) {
        this.audit = audit;
        this.database = database;
        this.rows = rows;
        this.published = published;
    }

    /** What somebody who signs in is given; it is not kept here. */
    record Granted(UUID id, String token, Instant expiresAt, String refreshToken, long version) {
        /** Without secrets. */
        @Override
        public String toString() {
            return "Granted[" + id + "]";
        }
    }

    /** How somebody signed in with a code that shows that an account is theirs whatever its password is. */
    static final List<String> BY_CODE = List.of("email", "administrator");

    private static final Duration RECENT = Duration.ofMinutes(15);

    /** Where somebody signs in from. */
    record Client(@Nullable String address, @Nullable String userAgent) {}

    /** Whether this sign-in was begun a moment ago with such a code. */
    boolean isByCode(UUID host, UUID id) {
        return database.in(
                Tenant.of(host),
                () -> rows.isBy(host, id, BY_CODE, Instant.now().minus(RECENT)));
    }

    /** Signs somebody in, who has proved who they are. */
    Granted open(UUID host, UUID user, String method, Client client) {
        UUID id = NewIds.next();
        Granted granted = database.in(Tenant.ALL, () -> {
            Token token = Token.make(KeyKind.SIGN_IN);
            String refresh = Token.random() + "." + Token.random();
            Instant now = Instant.now();
            rows.deleteEnded();
            rows.insert(
                    host,
                    id,
                    user,
                    token.prefix(),
                    Token.hash(token.text()),
                    now.plus(TOKEN_TTL),
                    Token.hash(refresh),
                    Token.hash(familyOf(refresh)),
                    now.plus(REFRESH_TTL),
                    method,
                    client.address(),
                    client.userAgent());
            rows.deleteOldest(host, user, MAX_SIGN_INS);
            rows.signedIn(user);
            audit.add(Entry.done(host, null, "sign-in", method, id, user.toString()));
            return new Granted(id, token.text(), now.plus(TOKEN_TTL), refresh, 1);
        });
        await(granted);
        return granted;
    }

    private void await(Granted granted) {
        published.await(AccessKey.key(Token.prefixOf(granted.token()).orElseThrow()), granted.version());
    }

    /** Writes down that somebody could not show that they are this person; names that nobody has are not kept. */
    void failed(Candidate person) {
        database.in(Tenant.of(person.host()), () -> {
            String user = person.user().toString();
            audit.add(Entry.done(person.host(), null, "sign-in", "password", user, user)
                    .failed("The password was wrong, or the account was removed."));
        });
    }

    /**
     * The next pair of tokens.
     *
     * @throws ApiException 401 where the token is none or has ended, also because it was used before; 409 where that was a
     *     moment ago
     */
    Granted refresh(String refreshToken) {
        Granted granted = database.in(Tenant.ALL, () -> next(refreshToken))
                .orElseThrow(() -> new ApiException(
                        HttpStatus.UNAUTHORIZED,
                        "unauthorized",
                        "The refresh token is invalid or expired: sign in again."));
        await(granted);
        return granted;
    }

    /** Empty for an unknown token and for a stolen one, whose sign-in ends. */
    private Optional<Granted> next(String refreshToken) {
        byte[] hash = Token.hash(refreshToken);
        String family = familyOf(refreshToken);
        return rows.refreshed(Token.hash(family), hash, REUSE_GRACE_SECONDS).flatMap(one -> {
            if (one.first()) {
                return Optional.of(renewed(one, hash, family));
            }
            if (one.again()) {
                throw new ApiException(
                        HttpStatus.CONFLICT,
                        "refreshed_just_now",
                        "This token was just used: use the token pair of that response.");
            }
            end(one);
            return Optional.empty();
        });
    }

    /** What all refresh tokens of a sign-in begin with; it is as secret as they are. */
    private static String familyOf(String refreshToken) {
        int dot = refreshToken.indexOf('.');
        return dot < 0 ? "" : refreshToken.substring(0, dot);
    }

    private void end(Refresh stolen) {
        String user = stolen.userId().toString();
        rows.delete(stolen.hostId(), stolen.userId(), stolen.authSessionId());
        audit.add(Entry.done(stolen.hostId(), null, "sign-in", "refresh", stolen.authSessionId(), user)
                .failed("A refresh token was reused: the sign-in was ended."));
    }

    /** The new token begins as the one before, so that what was opened with that one goes on. */
    private Granted renewed(Refresh one, byte[] used, String family) {
        Token token = Token.after(one.tokenPrefix());
        String refresh = family + "." + Token.random();
        Instant end = Instant.now().plus(TOKEN_TTL);
        rows.renew(one.hostId(), one.authSessionId(), Token.hash(token.text()), end, Token.hash(refresh), used);
        return new Granted(one.authSessionId(), token.text(), end, refresh, one.aggregateVersion() + 1);
    }

    /** Those of a person, the newest first. */
    List<SignIn> list(UUID host, UUID user) {
        return database.in(Tenant.of(host), () -> rows.list(host, user));
    }

    /**
     * Ends one sign-in of a person, or all of them.
     *
     * @param id null for all
     * @return whether there was one
     */
    boolean end(UUID host, UUID user, @Nullable UUID id) {
        List<String> prefixes = database.in(Tenant.of(host), () -> {
            List<String> gone = rows.locked(host, user, id);
            rows.delete(host, user, id);
            audit.add(Entry.done(host, null, "sign-in", "end", id == null ? "all" : id, user.toString()));
            return gone;
        });
        prefixes.forEach(prefix -> published.await(AccessKey.key(prefix), null));
        return !prefixes.isEmpty();
    }
}
