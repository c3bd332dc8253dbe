package dev.parley.control.people;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.UUID;

/**
 * Whose an e-mail address is. Anybody may write an address into a profile, so the account is not safe for whoever reads its mail
 * until they have shown that they do. With the first proof it is theirs: passwords, identities, sign-ins and keys that somebody
 * made before are no good any more.
 */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class Addresses {
    private final Database database;
    private final Audit audit;

    Addresses(Database database, Audit audit) {
        this.audit = audit;
        this.database = database;
    }

    /** They have shown that they read the mail of their address. */
    void proved(Candidate person) {
        UUID user = person.user();
        database.in(Tenant.ALL, transaction -> {
            int first = transaction.update(
                    "UPDATE control.user_t SET email_proved_ts = now() WHERE user_id = ? AND email_proved_ts IS NULL",
                    user);
            if (first > 0) {
                startAnew(transaction, user);
                audit.add(Entry.done(person.host(), null, "user", "prove-address", user, user.toString()));
            }
            return null;
        });
    }

    private static void startAnew(Transaction transaction, UUID user) {
        transaction.update("""
                UPDATE control.user_t SET password_hash = NULL, aggregate_version = aggregate_version + 1, update_ts = now(),
                  update_user = ? WHERE user_id = ? AND password_hash IS NOT NULL
                """, user.toString(), user);
        transaction.update("DELETE FROM control.auth_identity_t WHERE user_id = ?", user);
        transaction.update("DELETE FROM control.auth_session_t WHERE user_id = ?", user);
        transaction.update("""
                UPDATE control.api_key_t SET revoked_ts = now(), aggregate_version = aggregate_version + 1, update_ts = now(),
                  update_user = ? WHERE user_id = ? AND revoked_ts IS NULL
                """, user.toString(), user);
    }
}
