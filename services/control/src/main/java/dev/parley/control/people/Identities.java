package dev.parley.control.people;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.Columns;
import dev.parley.control.identity.Identity;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Who people are at other providers. One identity is one person's; a person has at most one of each provider. */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class Identities {
    /** The name of the constraint that keeps an identity one person's. */
    static final String ONE = "auth_identity_t_pkey";

    private final Database database;

    Identities(Database database) {
        this.database = database;
    }

    /** Somebody's identity, as they see it. */
    record Linked(String provider, Instant createdAt) {}

    static void add(Transaction transaction, UUID user, Identity identity) {
        transaction.update(
                "INSERT INTO control.auth_identity_t (provider, subject, user_id) VALUES (?, ?, ?)",
                identity.provider(),
                identity.subject(),
                user);
    }

    /** Those of a person, by provider. */
    List<Linked> list(UUID user) {
        return database.in(
                Tenant.ALL,
                transaction -> transaction.query(
                        "SELECT provider, created_ts FROM control.auth_identity_t WHERE user_id = ? ORDER BY provider",
                        row -> Columns.all(
                                row, one -> new Linked(one.getString("provider"), Columns.time(one, "created_ts"))),
                        user));
    }

    /**
     * Lets somebody sign in with one more identity.
     *
     * @throws ApiException 403 where they were removed, 409 where it is somebody else's, or they have another one of this provider
     */
    void link(UUID user, Identity identity) {
        try {
            database.in(Tenant.ALL, transaction -> {
                lock(transaction, user);
                UUID host = host(transaction, user);
                List<String> owned = owned(transaction, user, identity.provider());
                if (owned.isEmpty()) {
                    add(transaction, user, identity);
                    Audit.add(
                            transaction,
                            Entry.done(host, null, "identity", "link", identity.provider(), user.toString()));
                } else if (!owned.contains(identity.subject())) {
                    throw new ApiException(
                            HttpStatus.CONFLICT,
                            "identity_linked",
                            "You have another account of this provider: unlink that one first.");
                }
                return null;
            });
        } catch (FailedException e) {
            throw e.duplicate().filter(ONE::equals).isPresent()
                    ? new ApiException(
                            HttpStatus.CONFLICT, "identity_taken", "Somebody else signs in with this account.")
                    : e;
        }
    }

    /** So that nobody loses the last way in by doing two things at once. */
    private static void lock(Transaction transaction, UUID user) {
        transaction.query("SELECT FROM control.user_t WHERE user_id = ? FOR UPDATE", row -> true, user);
    }

    private static UUID host(Transaction transaction, UUID user) {
        return transaction
                .query(
                        "SELECT host_id FROM control.user_host_t WHERE user_id = ? AND active ORDER BY joined_ts LIMIT 1",
                        row -> Columns.first(row, one -> Columns.uuid(one, "host_id")),
                        user)
                .orElseThrow(() -> new ApiException(
                        HttpStatus.FORBIDDEN, "account_removed", "An administrator has removed this account."));
    }

    private static List<String> owned(Transaction transaction, UUID user, String provider) {
        return transaction.query(
                "SELECT subject FROM control.auth_identity_t WHERE user_id = ? AND provider = ?",
                row -> Columns.all(row, one -> one.getString(1)),
                user,
                provider);
    }

    /**
     * Somebody does not sign in with this provider any more.
     *
     * @return whether they did
     * @throws ApiException 409 where it is the last way in
     */
    boolean unlink(UUID host, UUID user, String provider) {
        return database.in(Tenant.ALL, transaction -> {
            lock(transaction, user);
            int gone = transaction.update(
                    "DELETE FROM control.auth_identity_t WHERE user_id = ? AND provider = ?", user, provider);
            if (gone == 0) {
                return false;
            }
            requireWayIn(transaction, user);
            Audit.add(transaction, Entry.done(host, null, "identity", "unlink", provider, user.toString()));
            return true;
        });
    }

    private static void requireWayIn(Transaction transaction, UUID user) {
        boolean one = transaction.query("""
                SELECT password_hash IS NOT NULL
                  OR EXISTS (SELECT FROM control.auth_identity_t i WHERE i.user_id = u.user_id)
                FROM control.user_t u WHERE u.user_id = ?
                """, row -> row.next() && row.getBoolean(1), user);
        if (!one) {
            throw new ApiException(
                    HttpStatus.CONFLICT, "last_way_in", "It is your only way to sign in: set a password first.");
        }
    }
}
