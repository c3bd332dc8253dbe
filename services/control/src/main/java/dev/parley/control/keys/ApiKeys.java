package dev.parley.control.keys;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.NewIds;
import dev.parley.control.http.Quota;
import dev.parley.control.outbox.PublicationBarrier;
import dev.parley.domain.Sha256;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.domain.access.RightsChange.Change.OfNewKey;
import dev.parley.platform.access.BearerToken;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.IfMatch;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** API keys. The secret is shown once, on creation; only its visible prefix and a digest are stored. */
@Singleton
final class ApiKeys {
    private static final int MAX_KEYS = 100;
    private static final int MAX_ATTEMPTS = 3;

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

    /** A new key with its secret. */
    record Created(KeyJson key, String secret) {}

    /**
     * Creates a key for the caller.
     *
     * @throws ApiException 403 as {@link dev.parley.domain.access.RightsChange} says
     */
    Created create(
            Caller caller, String name, @Nullable UUID project, List<String> permissions, @Nullable Instant expiresAt) {
        for (int attempt = 1; ; attempt++) {
            BearerToken token = BearerToken.make(KeyKind.API_KEY);
            try {
                KeyJson key = database.in(
                        caller.tenant(),
                        transaction -> insert(transaction, caller, token, name, project, permissions, expiresAt));
                published.await(AccessKey.key(token.prefix()), 0L);
                return new Created(key, token.text());
            } catch (FailedException e) {
                if (attempt == MAX_ATTEMPTS
                        || e.duplicate().filter("idx_api_keys_prefix"::equals).isEmpty()) {
                    throw e;
                }
            }
        }
    }

    private KeyJson insert(
            Transaction transaction,
            Caller caller,
            BearerToken token,
            String name,
            @Nullable UUID project,
            List<String> permissions,
            @Nullable Instant expiresAt) {
        UUID id = NewIds.next();
        UUID user = caller.person().user();
        caller.requireChange(new OfNewKey(new AccessKey(
                KeyKind.API_KEY, caller.host(), user, id, 1, token.prefix(), "", project, permissions, expiresAt)));
        Quota.check(
                transaction, caller.host() + "/" + user, () -> rows.countOpen(caller.host(), user), MAX_KEYS, "keys");
        rows.insert(
                caller.host(),
                id,
                user,
                name,
                token.prefix(),
                Sha256.of(token.text()),
                project,
                permissions.stream().map(code -> '"' + code + '"').collect(Collectors.joining(",", "[", "]")),
                expiresAt,
                caller.user());
        audit.add(Entry.done(caller.host(), project, "api-key", "create", id, caller.user()));
        return rows.find(caller.host(), user, id).orElseThrow();
    }

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
     * A page of the caller's keys, newest first.
     *
     * @param prefix of the key, or null; with it administrators find keys of all users, to trace a leaked one
     */
    List<KeyJson> list(Caller caller, @Nullable String prefix, int max, @Nullable Cursor after) {
        boolean ofAllUsers = prefix != null && caller.administers();
        return database.listingIn(
                caller.tenant(),
                () -> rows.page(
                        caller.host(),
                        ofAllUsers ? null : caller.person().user(),
                        prefix == null ? null : BearerToken.prefixOf(prefix).orElse(prefix),
                        Cursor.timeOf(after),
                        Cursor.idOf(after),
                        max + 1));
    }

    /** Revokes a key; administrators may revoke any. Idempotent. */
    void revoke(Caller caller, UUID id, @Nullable String ifMatch) {
        String prefix = database.in(caller.tenant(), () -> {
            KeyJson key = rows.locked(
                            caller.host(),
                            caller.person().user(),
                            caller.administers(), // RightsChange: others' keys
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
