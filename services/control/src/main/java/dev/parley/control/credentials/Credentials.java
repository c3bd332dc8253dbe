package dev.parley.control.credentials;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.Checks;
import dev.parley.control.http.Columns;
import dev.parley.control.http.NewIds;
import dev.parley.control.http.Quota;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.IfMatch;
import dev.parley.platform.sealing.Sealing;
import dev.parley.platform.sealing.Sealing.Sealed;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Keys of model providers, sealed. Who has some of a provider has one default among them. */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class Credentials {
    private static final int MOST = 100;
    private static final String KEPT = "SELECT FROM control.provider_credential_t WHERE host_id = ?";
    private static final String SELECT =
            "SELECT " + CredentialJson.COLUMNS + "FROM control.provider_credential_t WHERE host_id = ?";

    private final Database database;
    private final Sealing sealing;

    Credentials(Database database, Sealing sealing) {
        this.database = database;
        this.sealing = sealing;
    }

    /**
     * What is said of a credential, null for what is not.
     *
     * @param name empty to clear it
     */
    record Content(
            @Nullable String name,
            @Nullable ProviderKey key,
            @Nullable Boolean isDefault) {}

    /** Keeps a key. The first of a provider is the default. */
    CredentialJson make(Caller caller, Owner owner, String provider, ProviderKey key, Content content) {
        UUID id = NewIds.next();
        Sealed sealed = sealing.seal(key.text(), owner.host(), id);
        boolean wanted = Boolean.TRUE.equals(content.isDefault());
        return changing(caller, transaction -> {
            lock(transaction, owner, provider);
            Quota.check(
                    transaction,
                    MOST,
                    "credentials",
                    KEPT + owner.condition() + " AND active",
                    owner.host(),
                    owner.user());
            if (wanted) {
                unsetDefault(transaction, caller, owner, provider);
            }
            transaction.update(
                    """
                    INSERT INTO control.provider_credential_t (host_id, credential_id, user_id, provider, name, sealed,
                      master_key_id, last4, is_default, update_user)
                    VALUES (?, ?, ?::uuid, ?, ?, ?, ?, ?, ? OR NOT EXISTS (SELECT FROM control.provider_credential_t d
                      WHERE d.host_id = ?%s AND d.provider = ? AND d.is_default), ?)
                    """.formatted(owner.condition()),
                    owner.host(),
                    id,
                    owner.user(),
                    provider,
                    content.name(),
                    sealed.bytes(),
                    sealed.key(),
                    key.last4(),
                    wanted,
                    owner.host(),
                    owner.user(),
                    provider,
                    caller.user());
            audit(transaction, caller, "create", id);
            return one(transaction, owner, id);
        });
    }

    private <T> T changing(Caller caller, Function<Transaction, T> work) {
        try {
            return database.in(caller.tenant(), work);
        } catch (FailedException e) {
            if (e.duplicate().isEmpty()) {
                throw e;
            }
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "credential_exists",
                    "There is a credential of this provider with this name, or without one: choose another name.");
        }
    }

    /** Two changes of the same owner's keys of a provider happen one after the other. */
    private static void lock(Transaction transaction, Owner owner, String provider) {
        transaction.query(
                "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", row -> row.next(), owner.allOf(provider));
    }

    private static void unsetDefault(Transaction transaction, Caller caller, Owner owner, String provider) {
        transaction.update("""
                UPDATE control.provider_credential_t SET is_default = false, aggregate_version = aggregate_version + 1,
                  update_ts = now(), update_user = ? WHERE host_id = ? AND provider = ? AND is_default
                """ + owner.condition(), caller.user(), owner.host(), provider, owner.user());
    }

    private static void audit(Transaction transaction, Caller caller, String action, UUID id) {
        Audit.add(transaction, Entry.done(caller.host(), null, "credential", action, id, caller.user()));
    }

    private static CredentialJson one(Transaction transaction, Owner owner, UUID id) {
        Optional<CredentialJson> found = transaction.query(
                SELECT + owner.condition() + " AND credential_id = ?",
                row -> Columns.first(row, CredentialJson::of),
                owner.host(),
                owner.user(),
                id);
        return found.orElseThrow(() -> ApiException.notFound("unknown_credential", "There is no credential " + id));
    }

    /** One of the owner's. @throws ApiException 404 when it is none */
    CredentialJson find(Caller caller, Owner owner, UUID id) {
        return database.in(caller.tenant(), transaction -> one(transaction, owner, id));
    }

    /** A page of the owner's, the newest first. */
    List<CredentialJson> list(Caller caller, Owner owner, @Nullable String provider, int most, @Nullable Cursor after) {
        var sql = new StringBuilder(SELECT).append(owner.condition());
        var values = new ArrayList<@Nullable Object>();
        values.add(owner.host());
        values.add(owner.user());
        if (provider != null) {
            sql.append(" AND provider = ?");
            values.add(provider);
        }
        if (after != null) {
            sql.append(" AND (created_ts, credential_id) < (?, ?)");
            values.add(after.time());
            values.add(after.id());
        }
        sql.append(" ORDER BY created_ts DESC, credential_id DESC LIMIT ?");
        values.add(most + 1);
        return database.in(
                caller.tenant(),
                transaction -> transaction.query(
                        sql.toString(), row -> Columns.all(row, CredentialJson::of), values.toArray()));
    }

    /** The row as it is now, which nobody else changes until the transaction ends. */
    private static CredentialJson locked(Transaction transaction, Owner owner, UUID id) {
        lock(transaction, owner, one(transaction, owner, id).provider());
        return one(transaction, owner, id);
    }

    /** Changes one. @throws ApiException 412 or 428 as {@link IfMatch} says, 404 when it is none of the owner's */
    CredentialJson change(Caller caller, Owner owner, UUID id, Content content, @Nullable String ifMatch) {
        ProviderKey key = content.key();
        @Nullable Sealed sealed = key == null ? null : sealing.seal(key.text(), owner.host(), id);
        boolean wanted = Boolean.TRUE.equals(content.isDefault());
        return changing(caller, transaction -> {
            CredentialJson current = locked(transaction, owner, id);
            IfMatch.require(ifMatch, current.version());
            if (current.isDefault() && Boolean.FALSE.equals(content.isDefault())) {
                throw Checks.invalid("isDefault", "cannot be unset: make another one the default");
            }
            if (wanted && !current.isDefault()) {
                unsetDefault(transaction, caller, owner, current.provider());
            }
            transaction.update(
                    """
                    UPDATE control.provider_credential_t SET
                      name = CASE WHEN ?::text IS NULL THEN name ELSE nullif(?, '') END,
                      is_default = is_default OR ?, sealed = coalesce(?::bytea, sealed),
                      master_key_id = coalesce(?::bigint, master_key_id), last4 = coalesce(?::text, last4),
                      aggregate_version = aggregate_version + 1, update_ts = now(), update_user = ?
                    WHERE host_id = ? AND credential_id = ?
                    """,
                    content.name(),
                    content.name(),
                    wanted,
                    sealed == null ? null : sealed.bytes(),
                    sealed == null ? null : sealed.key(),
                    key == null ? null : key.last4(),
                    caller.user(),
                    owner.host(),
                    id);
            audit(transaction, caller, "update", id);
            return one(transaction, owner, id);
        });
    }

    /** Deletes one, with its key. Where it was the default, the newest of those that are left takes its place. */
    void delete(Caller caller, Owner owner, UUID id, @Nullable String ifMatch) {
        changing(caller, transaction -> {
            CredentialJson current = locked(transaction, owner, id);
            IfMatch.check(ifMatch, current.version());
            transaction.update(
                    "DELETE FROM control.provider_credential_t WHERE host_id = ? AND credential_id = ?",
                    owner.host(),
                    id);
            if (current.isDefault()) {
                setDefault(transaction, caller, owner, current.provider());
            }
            audit(transaction, caller, "delete", id);
            return id;
        });
    }

    private static void setDefault(Transaction transaction, Caller caller, Owner owner, String provider) {
        transaction.update(
                """
                UPDATE control.provider_credential_t SET is_default = true, aggregate_version = aggregate_version + 1,
                  update_ts = now(), update_user = ? WHERE host_id = ? AND credential_id = (
                    SELECT credential_id FROM control.provider_credential_t
                    WHERE host_id = ?%s AND provider = ?
                    ORDER BY created_ts DESC, credential_id DESC LIMIT 1)
                """.formatted(owner.condition()), caller.user(), owner.host(), owner.host(), owner.user(), provider);
    }
}
