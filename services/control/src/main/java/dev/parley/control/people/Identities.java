package dev.parley.control.people;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.identity.Identity;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;

/** External identities of people. An identity belongs to one person; a person has at most one per provider. */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class Identities {
    /** The name of the constraint that keeps an identity one person's. */
    static final String ONE = "auth_identity_t_pkey";

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

    /** Those of a person, by provider. */
    List<Linked> list(UUID user) {
        return database.in(Tenant.ALL, () -> rows.findByUserIdOrderByProvider(user));
    }

    /**
     * Lets somebody sign in with one more identity.
     *
     * @throws ApiException 403 where they were removed, 409 where it is somebody else's, or they have another one of this provider
     */
    void link(UUID user, Identity identity) {
        try {
            database.in(Tenant.ALL, () -> {
                people.lock(user);
                UUID host = rows.host(user)
                        .orElseThrow(() -> new ApiException(
                                HttpStatus.FORBIDDEN, "account_removed", "An administrator has removed this account."));
                List<Linked> owned = rows.findByUserIdAndProvider(user, identity.provider());
                if (owned.isEmpty()) {
                    rows.add(identity.provider(), identity.subject(), user);
                    audit.add(Entry.done(host, null, "identity", "link", identity.provider(), user.toString()));
                } else if (owned.stream().noneMatch(one -> one.subject().equals(identity.subject()))) {
                    throw new ApiException(
                            HttpStatus.CONFLICT,
                            "identity_linked",
                            "Another account of this provider is linked: unlink it first.");
                }
            });
        } catch (FailedException e) {
            throw e.duplicate().filter(ONE::equals).isPresent()
                    ? new ApiException(
                            HttpStatus.CONFLICT, "identity_taken", "This account is linked to another person.")
                    : e;
        }
    }

    /**
     * Somebody does not sign in with this provider any more.
     *
     * @return whether they did
     * @throws ApiException 409 where it is the last way in
     */
    boolean unlink(UUID host, UUID user, String provider) {
        return database.in(Tenant.ALL, () -> {
            people.lock(user); // so that two unlinks at once leave a way in
            if (rows.deleteByUserIdAndProvider(user, provider) == 0) {
                return false;
            }
            requireWayIn(user);
            audit.add(Entry.done(host, null, "identity", "unlink", provider, user.toString()));
            return true;
        });
    }

    private void requireWayIn(UUID user) {
        if (!rows.hasWayIn(user)) {
            throw new ApiException(
                    HttpStatus.CONFLICT, "last_way_in", "This is your only way to sign in: set a password first.");
        }
    }
}
