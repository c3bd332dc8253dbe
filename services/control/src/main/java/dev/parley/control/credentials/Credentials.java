package dev.parley.control.credentials;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.Checks;
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
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sealed keys of model providers. An owner with credentials of a provider has exactly one default among them. */
@Singleton
final class Credentials {
    private static final int MAX_CREDENTIALS = 100;

    private final Database database;
    private final Audit audit;
    private final CredentialRows rows;
    private final Sealing sealing;

    Credentials(Database database, CredentialRows rows, Sealing sealing, Audit audit) {
        this.audit = audit;
        this.database = database;
        this.rows = rows;
        this.sealing = sealing;
    }

    /**
     * Fields of a credential; null leaves one unchanged.
     *
     * @param name empty to clear it
     */
    record Content(
            @Nullable String name,
            @Nullable ProviderKey key,
            @Nullable Boolean isDefault) {}

    /** Stores a key. The first of a provider is the default. */
    CredentialJson create(Caller caller, Owner owner, String provider, ProviderKey key, Content content) {
        UUID id = NewIds.next();
        Sealed sealed = sealing.seal(key.text(), owner.host(), id);
        boolean makeDefault = Boolean.TRUE.equals(content.isDefault());
        return changeUnique(caller, transaction -> {
            prepareInsert(transaction, caller, owner, provider, makeDefault);
            audit(caller, "create", id);
            return CredentialJson.of(rows.insert(
                    owner.host(),
                    id,
                    owner.user(),
                    provider,
                    content.name(),
                    sealed.bytes(),
                    sealed.key(),
                    key.last4(),
                    makeDefault,
                    caller.user()));
        });
    }

    /** Locks the credentials of the provider, of which the new one may become the default. */
    private void prepareInsert(
            Transaction transaction, Caller caller, Owner owner, String provider, boolean makeDefault) {
        transaction.lock(owner.allOf(provider));
        Quota.check(transaction, owner, () -> rows.count(owner.host(), owner.user()), MAX_CREDENTIALS, "credentials");
        if (makeDefault) {
            rows.unsetDefault(owner.host(), owner.user(), provider, caller.user());
        }
    }

    private <T> T changeUnique(Caller caller, Function<Transaction, T> work) {
        try {
            return database.in(caller.tenant(), work);
        } catch (FailedException e) {
            if (e.duplicate().isEmpty()) {
                throw e;
            }
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "credential_exists",
                    "A credential of this provider with this name, or without a name, already exists: choose another name.");
        }
    }

    private void audit(Caller caller, String action, UUID id) {
        audit.add(Entry.done(caller.host(), null, "credential", action, id, caller.user()));
    }

    private CredentialJson require(Owner owner, UUID id) {
        return rows.find(owner.host(), owner.user(), id)
                .map(CredentialJson::of)
                .orElseThrow(() -> ApiException.notFound("unknown_credential", "There is no credential " + id));
    }

    /**
     * A credential of the owner.
     *
     * @throws ApiException 404 when there is none
     */
    CredentialJson find(Caller caller, Owner owner, UUID id) {
        return database.in(caller.tenant(), () -> require(owner, id));
    }

    /** A page of the owner's credentials, newest first. */
    List<CredentialJson> list(Caller caller, Owner owner, @Nullable String provider, int max, @Nullable Cursor after) {
        return database
                .listingIn(
                        caller.tenant(),
                        () -> rows.page(
                                owner.host(),
                                owner.user(),
                                provider,
                                Cursor.timeOf(after),
                                Cursor.idOf(after),
                                max + 1))
                .stream()
                .map(CredentialJson::of)
                .toList();
    }

    /** The current row, locked until the transaction ends. */
    private CredentialJson requireForUpdate(Transaction transaction, Owner owner, UUID id) {
        transaction.lock(owner.allOf(require(owner, id).provider()));
        return require(owner, id);
    }

    /**
     * Changes a credential.
     *
     * @throws ApiException 412 or 428 as {@link IfMatch} says, 404 when the owner has no such credential
     */
    CredentialJson change(Caller caller, Owner owner, UUID id, Content content, @Nullable String ifMatch) {
        ProviderKey key = content.key();
        @Nullable Sealed sealed = key == null ? null : sealing.seal(key.text(), owner.host(), id);
        boolean makeDefault = Boolean.TRUE.equals(content.isDefault());
        return changeUnique(caller, transaction -> {
            CredentialJson current = requireForUpdate(transaction, owner, id);
            IfMatch.require(ifMatch, current.version());
            if (current.isDefault() && Boolean.FALSE.equals(content.isDefault())) {
                throw Checks.invalid("isDefault", "cannot be unset: make another credential the default");
            }
            if (makeDefault && !current.isDefault()) {
                rows.unsetDefault(owner.host(), owner.user(), current.provider(), caller.user());
            }
            audit(caller, "update", id);
            if (key != null && sealed != null) {
                rows.setKey(owner.host(), id, sealed.bytes(), sealed.key(), key.last4());
            }
            return CredentialJson.of(rows.update(owner.host(), id, content.name(), makeDefault, caller.user()));
        });
    }

    /** Deletes a credential and its key. If it was the default, the newest remaining one becomes the default. */
    void delete(Caller caller, Owner owner, UUID id, @Nullable String ifMatch) {
        changeUnique(caller, transaction -> {
            CredentialJson current = requireForUpdate(transaction, owner, id);
            IfMatch.check(ifMatch, current.version());
            rows.deleteByHostIdAndCredentialId(owner.host(), id);
            if (current.isDefault()) {
                rows.setDefault(owner.host(), owner.user(), current.provider(), caller.user());
            }
            audit(caller, "delete", id);
            return id;
        });
    }
}
