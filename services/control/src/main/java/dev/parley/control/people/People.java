package dev.parley.control.people;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.Columns;
import dev.parley.control.http.NewIds;
import dev.parley.control.identity.Identity;
import dev.parley.control.outbox.Published;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.platform.access.Known;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.IfMatch;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The people of a host. */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class People {
    private static final long FIRST_LOCK = 0x5041_5253_4649_5254L;
    private static final String FROM = """
            SELECT %s FROM control.user_t u
            JOIN control.user_host_t h ON h.user_id = u.user_id AND h.erasure_id IS NULL
            """.formatted(Person.COLUMNS);

    /** Tables that hold what is somebody's own in a host. */
    private static final List<String> HELD =
            List.of("auth_session_t", "api_key_t", "provider_credential_t", "project_member_t");

    private final Database database;
    private final Published published;

    People(Database database, Published published) {
        this.database = database;
        this.published = published;
    }

    /**
     * Somebody new.
     *
     * @param passwordHash null for those who sign in elsewhere
     * @param identity who they are elsewhere, or null
     */
    record NewPerson(
            String username,
            @Nullable String email,
            @Nullable String passwordHash,
            @Nullable String timeZone,
            @Nullable String language,
            @Nullable Identity identity) {}

    /** Somebody who may sign in. */
    record Candidate(UUID user, UUID host, @Nullable String passwordHash, boolean active) {
        private static Candidate of(ResultSet row) throws SQLException {
            return new Candidate(
                    Columns.uuid(row, "user_id"),
                    Columns.uuid(row, "host_id"),
                    row.getString("password_hash"),
                    row.getBoolean("active"));
        }
    }

    /** Whether nobody but the installation's own administrator is there. */
    boolean isEmpty() {
        return database.in(Tenant.ALL, People::isEmpty);
    }

    private static boolean isEmpty(Transaction transaction) {
        return isEmpty(transaction, Known.DEFAULT_HOST);
    }

    private static boolean isEmpty(Transaction transaction, UUID host) {
        return transaction.query(
                "SELECT NOT EXISTS (SELECT FROM control.user_host_t WHERE host_id = ? AND user_id <> ?)",
                row -> row.next() && row.getBoolean(1),
                host,
                Known.ADMIN);
    }

    /**
     * Adds somebody to a host, and to its default project as a member. The first one of a host becomes its administrator.
     *
     * @param by who does it, or null where they do it themselves
     * @throws ApiException 409 where the name or the address is taken
     */
    Person add(UUID host, NewPerson person, @Nullable String by) {
        UUID id = NewIds.next();
        UUID project = RecordKey.projectId(Known.defaultProject(host));
        String user = by == null ? id.toString() : by;
        Person added = unique(() -> database.in(Tenant.ALL, transaction -> {
            transaction.query("SELECT pg_advisory_xact_lock(?)", row -> true, FIRST_LOCK);
            boolean first = isEmpty(transaction, host);
            transaction.update(
                    """
                    INSERT INTO control.user_t (user_id, username, email, password_hash, time_zone, language, update_user)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                    id,
                    person.username(),
                    person.email(),
                    person.passwordHash(),
                    person.timeZone(),
                    person.language(),
                    user);
            transaction.update(
                    "INSERT INTO control.user_host_t (host_id, user_id, role, update_user) VALUES (?, ?, ?, ?)",
                    host,
                    id,
                    first ? "admin" : "user",
                    user);
            transaction.update("""
                    INSERT INTO control.project_member_t (host_id, project_id, user_id, role, update_user)
                    VALUES (?, ?, ?, 'member', ?)
                    """, host, project, id, user);
            if (person.identity() != null) {
                // Providers give no address that they have not verified.
                transaction.update(
                        "UPDATE control.user_t SET email_proved_ts = now() WHERE user_id = ? AND email IS NOT NULL",
                        id);
                Identities.add(transaction, id, person.identity());
            }
            Audit.add(transaction, Entry.done(host, null, "user", "create", id, user));
            return find(transaction, host, id).orElseThrow();
        }));
        published.await(Account.key(host, id), 0L);
        published.await(Member.key(project, id), 0L);
        return added;
    }

    private static <T> T unique(Supplier<T> work) {
        try {
            return work.get();
        } catch (FailedException e) {
            throw switch (e.duplicate().orElse("")) {
                case "idx_users_username" ->
                    new ApiException(HttpStatus.CONFLICT, "username_taken", "Somebody else has this username.");
                case "idx_users_email" ->
                    new ApiException(HttpStatus.CONFLICT, "email_taken", "Somebody else has this e-mail address.");
                default -> e;
            };
        }
    }

    private static Optional<Person> find(Transaction transaction, UUID host, UUID user) {
        return transaction.query(
                FROM + "WHERE h.host_id = ? AND u.user_id = ?", row -> Columns.first(row, Person::of), host, user);
    }

    /** Somebody of this host. */
    Optional<Person> find(UUID host, UUID user) {
        return database.in(Tenant.of(host), transaction -> find(transaction, host, user));
    }

    /** A page of them by name; those who were removed only when asked for. */
    List<Person> list(UUID host, @Nullable String begins, boolean inactive, int most, @Nullable Cursor after) {
        var sql = new StringBuilder(FROM).append("WHERE h.host_id = ?");
        List<@Nullable Object> values = new ArrayList<>(List.of(host));
        if (!inactive) {
            sql.append(" AND u.active AND h.active");
        }
        if (begins != null) {
            sql.append(" AND u.username_key >= lower(?) AND u.username_key < lower(?)");
            values.add(begins);
            values.add(begins + '\uFFFF');
        }
        if (after != null) {
            sql.append(" AND u.username_key > ?");
            values.add(after.first());
        }
        sql.append(" ORDER BY u.username_key LIMIT ?");
        values.add(most + 1);
        return database.in(
                Tenant.of(host),
                transaction ->
                        transaction.query(sql.toString(), row -> Columns.all(row, Person::of), values.toArray()));
    }

    /** What is to be changed of somebody; null leaves it as it is, an empty text clears it. */
    record Change(
            @Nullable String email,
            @Nullable String avatarUrl,
            @Nullable String timeZone,
            @Nullable String language,
            @Nullable String preferences,
            @Nullable String role,
            @Nullable Boolean active) {}

    /**
     * Changes somebody.
     *
     * @throws ApiException 404 where there is nobody, 409 where a name is taken, 412 for another version
     */
    Person change(UUID host, UUID user, Change change, @Nullable String ifMatch, boolean required, String by) {
        Person changed = unique(() -> database.in(Tenant.of(host), transaction -> {
            Person before = locked(transaction, host, user);
            if (required) {
                IfMatch.require(ifMatch, before.version());
            } else {
                IfMatch.check(ifMatch, before.version());
            }
            transaction.update(
                    """
                    UPDATE control.user_t SET email = CASE WHEN ?::text IS NULL THEN email ELSE nullif(?, '') END,
                      avatar_url = CASE WHEN ?::text IS NULL THEN avatar_url ELSE nullif(?, '') END,
                      time_zone = CASE WHEN ?::text IS NULL THEN time_zone ELSE nullif(?, '') END,
                      language = CASE WHEN ?::text IS NULL THEN language ELSE nullif(?, '') END,
                      preferences = preferences || coalesce(?::jsonb, '{}'),
                      aggregate_version = aggregate_version + 1, update_ts = now(), update_user = ?
                    WHERE user_id = ?
                    """,
                    change.email(),
                    change.email(),
                    change.avatarUrl(),
                    change.avatarUrl(),
                    change.timeZone(),
                    change.timeZone(),
                    change.language(),
                    change.language(),
                    change.preferences(),
                    by,
                    user);
            if (change.role() != null || change.active() != null) {
                transaction.update("""
                        UPDATE control.user_host_t SET role = coalesce(?, role), active = coalesce(?, active),
                          aggregate_version = aggregate_version + 1, update_ts = now(), update_user = ?
                        WHERE host_id = ? AND user_id = ?
                        """, change.role(), change.active(), by, host, user);
                requireAdministrator(transaction, host);
            }
            Audit.add(transaction, Entry.done(host, null, "user", "update", user, by));
            return find(transaction, host, user).orElseThrow();
        }));
        published.await(Account.key(host, user), changed.version() + 1);
        return changed;
    }

    private static Person locked(Transaction transaction, UUID host, UUID user) {
        transaction.query("SELECT FROM control.user_t WHERE user_id = ? FOR UPDATE", row -> true, user);
        return find(transaction, host, user)
                .orElseThrow(() -> ApiException.notFound("unknown_user", "There is no user " + user));
    }

    private static void requireAdministrator(Transaction transaction, UUID host) {
        boolean one = transaction.query(
                "SELECT EXISTS (SELECT FROM control.user_host_t WHERE host_id = ? AND role = 'admin' AND active)",
                row -> row.next() && row.getBoolean(1),
                host);
        if (!one) {
            throw new ApiException(HttpStatus.CONFLICT, "last_administrator", "A host has at least one administrator.");
        }
    }

    /**
     * Removes somebody from sight; an administrator can bring them back. Their projects go to somebody else.
     *
     * @param heir null where there is nobody
     * @throws ApiException 409 where they own projects and there is no heir
     */
    void remove(UUID host, UUID user, @Nullable UUID heir, @Nullable String ifMatch, String by) {
        Person removed = database.in(Tenant.of(host), transaction -> {
            IfMatch.check(ifMatch, locked(transaction, host, user).version());
            handOver(transaction, host, user, heir, by);
            transaction.update("""
                    UPDATE control.user_host_t SET active = false, aggregate_version = aggregate_version + 1,
                      update_ts = now(), update_user = ? WHERE host_id = ? AND user_id = ?
                    """, by, host, user);
            requireAdministrator(transaction, host);
            transaction.update("DELETE FROM control.auth_session_t WHERE host_id = ? AND user_id = ?", host, user);
            transaction.update("""
                    UPDATE control.api_key_t SET revoked_ts = now(), aggregate_version = aggregate_version + 1,
                      update_ts = now(), update_user = ? WHERE host_id = ? AND user_id = ? AND revoked_ts IS NULL
                    """, by, host, user);
            Audit.add(transaction, Entry.done(host, null, "user", "delete", user, by));
            return find(transaction, host, user).orElseThrow();
        });
        published.await(Account.key(host, user), removed.version() + 1);
    }

    /**
     * Erases somebody: nothing says any more who they were, and all services remove what was theirs. Only their id stays.
     *
     * @param heir who gets their projects, or null where there is nobody
     * @return the id of the erasure
     * @throws ApiException 409 where they own projects and there is no heir, or are the only administrator
     */
    UUID erase(UUID host, UUID user, @Nullable UUID heir, @Nullable String ifMatch, String by) {
        if (user.equals(Known.ADMIN)) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "installation",
                    "The installation's own administrator is nobody in particular.");
        }
        UUID erasure = UUID.randomUUID();
        long before = database.in(Tenant.of(host), transaction -> {
            long version = locked(transaction, host, user).version();
            IfMatch.check(ifMatch, version);
            handOver(transaction, host, user, heir, by);
            transaction.update("""
                    UPDATE control.user_host_t SET active = false, role = 'user', erasure_id = ?,
                      aggregate_version = aggregate_version + 1, update_ts = now(), update_user = ?
                    WHERE host_id = ? AND user_id = ?
                    """, erasure, by, host, user);
            requireAdministrator(transaction, host);
            for (String table : HELD) {
                transaction.update("DELETE FROM control." + table + " WHERE host_id = ? AND user_id = ?", host, user);
            }
            forget(transaction, user, by);
            Audit.add(transaction, Entry.done(host, null, "user", "erase", user, by));
            return version;
        });
        published.await(Account.key(host, user), before + 2);
        return erasure;
    }

    /** What stands in no host is forgotten, unless somebody knows them in another one. */
    private static void forget(Transaction transaction, UUID user, String by) {
        boolean elsewhere = transaction.query(
                "SELECT EXISTS (SELECT FROM control.user_host_t WHERE user_id = ? AND erasure_id IS NULL)",
                row -> row.next() && row.getBoolean(1),
                user);
        if (elsewhere) {
            return;
        }
        transaction.update("DELETE FROM control.auth_identity_t WHERE user_id = ?", user);
        transaction.update("DELETE FROM control.one_time_code_t WHERE user_id = ?", user);
        transaction.update("""
                UPDATE control.user_t SET username = 'erased-' || user_id, email = NULL, password_hash = NULL, avatar_url = NULL,
                  preferences = '{}', time_zone = NULL, language = NULL, last_login_ts = NULL, active = false,
                  aggregate_version = aggregate_version + 1, update_ts = now(), update_user = ?
                WHERE user_id = ?
                """, by, user);
    }

    private static void handOver(Transaction transaction, UUID host, UUID user, @Nullable UUID heir, String by) {
        int owned = transaction.query(
                "SELECT count(*) FROM control.project_t WHERE host_id = ? AND owner_id = ?",
                row -> row.next() ? row.getInt(1) : 0,
                host,
                user);
        if (owned == 0) {
            return;
        }
        if (heir == null || heir.equals(user)) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "owns_projects",
                    "This user owns %d projects: say with ?reassignTo= who is to have them.".formatted(owned));
        }
        boolean there = find(transaction, host, heir).filter(Person::active).isPresent();
        if (!there) {
            throw ApiException.notFound("unknown_user", "There is no user " + heir);
        }
        transaction.update("""
                UPDATE control.project_member_t SET role = 'admin', aggregate_version = aggregate_version + 1, update_ts = now(),
                  update_user = ? WHERE host_id = ? AND user_id = ? AND role = 'owner'
                """, by, host, user);
        transaction.update("""
                INSERT INTO control.project_member_t AS m (host_id, project_id, user_id, role, update_user)
                SELECT host_id, project_id, ?, 'owner', ? FROM control.project_t WHERE host_id = ? AND owner_id = ?
                ON CONFLICT (host_id, project_id, user_id) DO UPDATE SET role = 'owner', active = true,
                  aggregate_version = m.aggregate_version + 1, update_ts = now(), update_user = excluded.update_user
                """, heir, by, host, user);
        transaction.update("""
                UPDATE control.project_t SET owner_id = ?, aggregate_version = aggregate_version + 1, update_ts = now(),
                  update_user = ? WHERE host_id = ? AND owner_id = ?
                """, heir, by, host, user);
    }

    /** Who signs in under a name or an address, in the first host that they are in. */
    Optional<Candidate> candidate(String name) {
        return candidate("u.username_key = lower(?) OR u.email_key = lower(?)", name, name);
    }

    /** The same by id. */
    Optional<Candidate> candidate(UUID user) {
        return candidate("u.user_id = ?", user);
    }

    /** The same by who they are elsewhere. */
    Optional<Candidate> candidate(Identity identity) {
        return candidate("""
                u.user_id = (SELECT i.user_id FROM control.auth_identity_t i WHERE i.provider = ? AND i.subject = ?)
                """, identity.provider(), identity.subject());
    }

    private Optional<Candidate> candidate(String condition, Object... values) {
        return database.in(
                Tenant.ALL,
                transaction ->
                        transaction.query("""
                        SELECT u.user_id, h.host_id, u.password_hash, u.active AND h.active AND t.active AS active
                        FROM control.user_t u JOIN control.user_host_t h USING (user_id) JOIN control.host_t t USING (host_id)
                        WHERE %s ORDER BY h.active DESC, h.joined_ts LIMIT 1
                        """.formatted(condition), row -> Columns.first(row, Candidate::of), values));
    }

    /**
     * Writes down that this one of the host is let in by an administrator of it.
     *
     * @throws ApiException 404 where they are not of this host, 409 where they are removed, or in another one, too: an
     *     administrator here says nothing there
     */
    void requireOnlyHere(UUID host, UUID user, String by) {
        Person person =
                find(host, user).orElseThrow(() -> ApiException.notFound("unknown_user", "There is no user " + user));
        if (!person.active()) {
            throw new ApiException(HttpStatus.CONFLICT, "account_removed", "They were removed; bring them back first.");
        }
        database.in(Tenant.ALL, transaction -> {
            boolean elsewhere = transaction.query(
                    "SELECT FROM control.user_host_t WHERE user_id = ? AND host_id <> ?", ResultSet::next, user, host);
            if (elsewhere) {
                throw new ApiException(
                        HttpStatus.CONFLICT,
                        "in_other_hosts",
                        "They belong to another host as well, which you do not lead.");
            }
            Audit.add(transaction, Entry.done(host, null, "user", "sign-in-code", user, by));
            return null;
        });
    }

    /** Sets another password; who is signed in elsewhere is not any more. */
    void password(UUID host, UUID user, String hash, UUID keep, String by) {
        database.in(Tenant.of(host), transaction -> {
            transaction.update("""
                    UPDATE control.user_t SET password_hash = ?, aggregate_version = aggregate_version + 1, update_ts = now(),
                      update_user = ? WHERE user_id = ?
                    """, hash, by, user);
            transaction.update(
                    "DELETE FROM control.auth_session_t WHERE host_id = ? AND user_id = ? AND auth_session_id <> ?",
                    host,
                    user,
                    keep);
            Audit.add(transaction, Entry.done(host, null, "user", "password", user, by));
            return null;
        });
    }
}
