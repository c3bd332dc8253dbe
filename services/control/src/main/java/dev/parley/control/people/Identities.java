package dev.parley.control.people;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.identity.Identity;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;

/** External identities of people. An identity belongs to one person; a person has at most one per provider. */
@Singleton
final class Identities {
    /** The constraint that an identity belongs to one person. */
    static final String UNIQUE = "auth_identity_t_pkey";

    private final Database database;
    private final Audit audit;
    private final IdentityRows rows;
    private final PersonRows people;

    Identities(Database database, IdentityRows rows, PersonRows people, Audit audit) {
        this.audit = audit;
        this.database = database;
        this.rows = rows;
        this.people = people;
    }

    /** The identities of a person, by provider. */
    List<LinkedIdentity> list(UUID user) {
        return database.in(Tenant.ALL, () -> rows.findByUserIdOrderByProvider(user));
    }

    /**
     * Links an identity, with which the person can sign in from then on.
     *
     * @throws ApiException 403 where the account is removed, 409 where the identity is linked to another person, or the
     *     person has another one of this provider
     */
    void link(UUID user, Identity identity) {
        try {
            database.in(Tenant.ALL, () -> add(user, identity));
        } catch (FailedException e) {
            throw e.duplicate().filter(UNIQUE::equals).isPresent()
                    ? new ApiException(
                            HttpStatus.CONFLICT, "identity_taken", "This account is linked to another person.")
                    : e;
        }
    }

    private void add(UUID user, Identity identity) {
        people.lock(user);
        UUID host = rows.host(user)
                .orElseThrow(() -> new ApiException(
                        HttpStatus.FORBIDDEN, "account_removed", "An administrator has removed this account."));
        List<LinkedIdentity> linked = rows.findByUserIdAndProvider(user, identity.provider());
        if (linked.isEmpty()) {
            rows.add(identity.provider(), identity.subject(), user);
            audit.add(Entry.done(host, null, "identity", "link", identity.provider(), user.toString()));
        } else if (linked.stream().noneMatch(other -> other.subject().equals(identity.subject()))) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "identity_linked",
                    "Another account of this provider is linked: unlink it first.");
        }
    }

    /**
     * Unlinks the identity of a provider.
     *
     * @return whether one was linked
     * @throws ApiException 409 where it is the person's only way to sign in
     */
    boolean unlink(UUID host, UUID user, String provider) {
        return database.in(Tenant.ALL, () -> {
            people.lock(user); // concurrent unlinks must not remove the last way to sign in
            if (rows.deleteByUserIdAndProvider(user, provider) == 0) {
                return false;
            }
            requireSignInMethod(user);
            audit.add(Entry.done(host, null, "identity", "unlink", provider, user.toString()));
            return true;
        });
    }

    private void requireSignInMethod(UUID user) {
        if (!rows.hasSignInMethod(user)) {
            throw new ApiException(
                    HttpStatus.CONFLICT, "last_way_in", "This is your only way to sign in: set a password first.");
        }
    }
}
