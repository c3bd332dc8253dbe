package dev.parley.control.people;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import jakarta.inject.Singleton;
import java.util.UUID;

/**
 * Proof that a person owns the e-mail address of their account. Any address can be entered in a profile, so the first
 * proof invalidates all earlier passwords, identities, sign-ins and API keys of the account, and other accounts in which
 * somebody entered the address lose it.
 */
@Singleton
final class EmailOwnership {
    private final Database database;
    private final PersonRows rows;
    private final People people;
    private final Audit audit;

    EmailOwnership(Database database, PersonRows rows, People people, Audit audit) {
        this.people = people;
        this.database = database;
        this.rows = rows;
        this.audit = audit;
    }

    /** Records that the person has proved that they receive the mail of their address. */
    void markProved(SignInAccount person) {
        UUID user = person.user();
        String actor = user.toString();
        database.in(Tenant.ALL, () -> {
            if (rows.proveEmail(user) > 0) {
                people.releaseEmail(user, actor);
                rows.clearPassword(user, actor);
                rows.deleteIdentities(user);
                rows.endAllSignIns(user);
                rows.revokeAllKeys(user, actor);
                audit.add(Entry.done(person.host(), null, "user", "prove-address", user, actor));
            }
        });
    }
}
