package dev.parley.control.people;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.NewIds;
import dev.parley.control.outbox.PublicationBarrier;
import dev.parley.domain.Sha256;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.platform.access.BearerToken;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.network.ClientAddress;
import dev.parley.platform.http.signin.SignOut;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Sign-ins and their tokens. An access token lasts an hour; a single-use refresh token of 30 days gets the next pair. A
 * refresh token presented again may be stolen, so its sign-in ends.
 */
@Singleton
final class SignIns implements SignOut {
    /** Lifetime of an access token. */
    static final Duration TOKEN_TTL = Duration.ofHours(1);

    /** Methods with a code that proves ownership of the account without its password. */
    static final List<String> BY_CODE = List.of("email", "administrator");

    private static final Duration RECENT = Duration.ofMinutes(15);
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

    /** The tokens of a sign-in. Only their digests are stored. */
    record IssuedTokens(UUID id, String token, Instant expiresAt, String refreshToken, long version) {
        /** Omits secrets. */
        @Override
        public String toString() {
            return "IssuedTokens[" + id + "]";
        }
    }

    /** The client of a sign-in request. */
    record Client(@Nullable String address, @Nullable String userAgent) {
        private static final int MAX_AGENT = 256;

        static Client of(HttpRequest<?> request, ClientAddress clients) {
            String agent = request.getHeaders().get(HttpHeaders.USER_AGENT);
            return new Client(
                    clients.textOf(request),
                    agent == null ? null : agent.substring(0, Math.min(agent.length(), MAX_AGENT)));
        }
    }

    /** Whether this sign-in was started {@linkplain #BY_CODE with a code} within the last 15 minutes. */
    boolean isByCode(UUID host, UUID id) {
        return database.in(
                Tenant.of(host),
                () -> rows.isBy(host, id, BY_CODE, Instant.now().minus(RECENT)));
    }

    /**
     * Signs an authenticated person in.
     *
     * @param method their authentication method
     */
    IssuedTokens open(SignInAccount person, String method, Client client) {
        IssuedTokens tokens = database.in(Tenant.ALL, () -> start(person.host(), person.user(), method, client));
        await(tokens);
        return tokens;
    }

    /** Starts a sign-in, and removes those that have ended or are too many. */
    private IssuedTokens start(UUID host, UUID user, String method, Client client) {
        rows.deleteEnded();
        IssuedTokens tokens = insert(host, user, method, client);
        rows.deleteOldest(host, user, MAX_SIGN_INS);
        rows.signedIn(user);
        audit.add(Entry.done(host, null, "sign-in", method, tokens.id(), user.toString()));
        return tokens;
    }

    private IssuedTokens insert(UUID host, UUID user, String method, Client client) {
        UUID id = NewIds.next();
        BearerToken token = BearerToken.make(KeyKind.SIGN_IN);
        String refresh = BearerToken.random() + "." + BearerToken.random();
        Instant now = Instant.now();
        rows.insert(
                host,
                id,
                user,
                token.prefix(),
                Sha256.of(token.text()),
                now.plus(TOKEN_TTL),
                Sha256.of(refresh),
                Sha256.of(familyOf(refresh)),
                now.plus(REFRESH_TTL),
                method,
                client.address(),
                client.userAgent());
        return new IssuedTokens(id, token.text(), now.plus(TOKEN_TTL), refresh, 1);
    }

    private void await(IssuedTokens tokens) {
        published.await(AccessKey.key(BearerToken.prefixOf(tokens.token()).orElseThrow()), tokens.version());
    }

    /** Records a failed password attempt in the audit log; attempts with unknown names are not recorded. */
    void recordFailure(SignInAccount person) {
        database.in(Tenant.of(person.host()), () -> {
            String user = person.user().toString();
            audit.add(Entry.done(person.host(), null, "sign-in", "password", user, user)
                    .withFailure("The password was wrong, or the account was removed."));
        });
    }

    /**
     * The next pair of tokens.
     *
     * @throws ApiException 401 where the token is unknown, expired or was used before; 409 where it was used within the
     *     last {@value #REUSE_GRACE_SECONDS} s
     */
    IssuedTokens refresh(String refreshToken) {
        IssuedTokens tokens = database.in(Tenant.ALL, () -> next(refreshToken))
                .orElseThrow(() -> new ApiException(
                        HttpStatus.UNAUTHORIZED,
                        "unauthorized",
                        "The refresh token is invalid or expired: sign in again."));
        await(tokens);
        return tokens;
    }

    /** The next tokens; empty for an unknown token and for a stolen one, which ends its sign-in. */
    private Optional<IssuedTokens> next(String refreshToken) {
        byte[] hash = Sha256.of(refreshToken);
        String family = familyOf(refreshToken);
        return rows.refreshed(Sha256.of(family), hash, REUSE_GRACE_SECONDS).flatMap(refreshed -> {
            if (refreshed.first()) {
                return Optional.of(renew(refreshed, hash, family));
            }
            if (refreshed.again()) {
                throw new ApiException(
                        HttpStatus.CONFLICT,
                        "refreshed_just_now",
                        "This token was just used: use the token pair of that response.");
            }
            endStolen(refreshed);
            return Optional.empty();
        });
    }

    /** The common prefix of the refresh tokens of a sign-in; it is as secret as they are. */
    private static String familyOf(String refreshToken) {
        int dot = refreshToken.indexOf('.');
        return dot < 0 ? "" : refreshToken.substring(0, dot);
    }

    private void endStolen(Refresh stolen) {
        String user = stolen.userId().toString();
        rows.delete(stolen.hostId(), stolen.userId(), stolen.authSessionId());
        audit.add(Entry.done(stolen.hostId(), null, "sign-in", "refresh", stolen.authSessionId(), user)
                .withFailure("A refresh token was reused: the sign-in was ended."));
    }

    /** The new token keeps the prefix of the previous one, so that streams opened with that one continue. */
    private IssuedTokens renew(Refresh signIn, byte[] used, String family) {
        BearerToken token = BearerToken.after(signIn.tokenPrefix());
        String refresh = family + "." + BearerToken.random();
        Instant end = Instant.now().plus(TOKEN_TTL);
        rows.renew(signIn.hostId(), signIn.authSessionId(), Sha256.of(token.text()), end, Sha256.of(refresh), used);
        return new IssuedTokens(signIn.authSessionId(), token.text(), end, refresh, signIn.aggregateVersion() + 1);
    }

    /** The sign-ins of a person, newest first. */
    List<SignIn> list(UUID host, UUID user) {
        return database.in(Tenant.of(host), () -> rows.list(host, user));
    }

    @Override
    public void end(Caller caller) {
        if (caller.key().kind() == KeyKind.SIGN_IN) {
            end(caller.host(), caller.person().user(), caller.key().id());
        }
    }

    /**
     * Ends one sign-in of a person, or all of them.
     *
     * @param id null for all
     * @return whether any existed
     */
    boolean end(UUID host, UUID user, @Nullable UUID id) {
        List<String> prefixes = database.in(Tenant.of(host), () -> {
            List<String> ended = rows.locked(host, user, id);
            rows.delete(host, user, id);
            audit.add(Entry.done(host, null, "sign-in", "end", id == null ? "all" : id, user.toString()));
            return ended;
        });
        prefixes.forEach(prefix -> published.await(AccessKey.key(prefix), null));
        return !prefixes.isEmpty();
    }
}
