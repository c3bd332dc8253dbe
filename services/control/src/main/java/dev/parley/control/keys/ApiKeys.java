package dev.parley.control.keys;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.NewIds;
import dev.parley.control.http.Quota;
import dev.parley.control.outbox.PublicationBarrier;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.platform.access.Token;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.IfMatch;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Keys of the API. A key is shown once, when it is made; what is kept is its visible part and a digest. */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class ApiKeys {
    private static final int MOST = 100;
    private static final int TRIES = 3;

    private final Database database;
    private final Audit audit;
    private final KeyRows rows;
    private final PublicationBarrier published;

    ApiKeys(Database database, KeyRows rows, PublicationBarrier published, Audit audit) {
        this.audit = audit;
        this.database = database;
        this.rows = rows;
        this.published = published;
    }

    /** A key that was made, this once with its secret. */
    record Made(KeyJson key, String secret) {}

    /** Makes a key for the caller. */
    Made make(Caller caller, String name, @Nullable UUID project, String permissions, @Nullable Instant expiresAt) {
        for (int tries = 1; ; tries++) {
            Token token = Token.make(KeyKind.API_KEY);
            try {
                KeyJson key = database.in(caller.tenant(), () -> {
                    UUID id = NewIds.next();
                    UUID user = caller.person().user();
                    Quota.check(rows.countOpen(caller.host(), user), MOST, "keys");
                    rows.insert(
                            caller.host(),
                            id,
                            user,
                            name,
                            token.prefix(),
                            Token.hash(token.text()),
                            project,
                            permissions,
                            expiresAt,
                            caller.user());
                    audit.add(Entry.done(caller.host(), project, "api-key", "create", id, caller.user()));
                    return rows.find(caller.host(), user, id).orElseThrow();
                });
                published.await(AccessKey.key(token.prefix()), 0L);
                return new Made(key, token.text());
            } catch (FailedException e) {
                if (tries == TRIES
                        || e.duplicate().filter("idx_api_keys_prefix"::equals).isEmpty()) {
                    throw e;
                }
            }
        }
    }

    /** One of the caller's keys. */
    KeyJson find(Caller caller, UUID id) {
        return database.in(
                        caller.tenant(),
                        () -> rows.find(caller.host(), caller.person().user(), id))
                .orElseThrow(() -> unknown(id));
    }

    private static ApiException unknown(UUID id) {
        return ApiException.notFound("unknown_api_key", "There is no key " + id);
    }

    /**
     * A page of the caller's keys, the newest first.
     *
     * @param prefix how they begin, or null; administrators then find those of everybody in the host, to trace a leaked one
     */
    List<KeyJson> list(Caller caller, @Nullable String prefix, int most, @Nullable Cursor after) {
        boolean everybodys = prefix != null && caller.person().admin();
        return database.in(
                caller.tenant(),
                () -> rows.page(
                        caller.host(),
                        everybodys ? null : caller.person().user(),
                        prefix == null ? null : Token.prefixOf(prefix).orElse(prefix),
                        after == null ? null : after.time(),
                        after == null ? null : after.id(),
                        most + 1));
    }

    /** Ends a key at once; administrators may end everybody's. To end it twice changes nothing. */
    void revoke(Caller caller, UUID id, @Nullable String ifMatch) {
        String prefix = database.in(caller.tenant(), () -> {
            KeyJson key = rows.locked(
                            caller.host(),
                            caller.person().user(),
                            caller.person().admin(),
                            id)
                    .orElseThrow(() -> unknown(id));
            IfMatch.check(ifMatch, key.version());
            if (rows.revoke(caller.host(), id, caller.user()) > 0) {
                audit.add(Entry.done(caller.host(), null, "api-key", "revoke", id, caller.user()));
            }
            return key.prefix();
        });
        published.await(AccessKey.key(prefix), null);
    }
}
