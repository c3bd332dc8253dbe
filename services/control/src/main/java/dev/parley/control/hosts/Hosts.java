package dev.parley.control.hosts;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.Columns;
import dev.parley.control.http.NewIds;
import dev.parley.control.outbox.Published;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.access.Known;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.IfMatch;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The tenants of this installation. */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class Hosts {
    private static final String SELECT = "SELECT " + HostJson.COLUMNS + " FROM control.host_t ";

    private final Database database;
    private final Published published;

    Hosts(Database database, Published published) {
        this.database = database;
        this.published = published;
    }

    /** All of them, by key. */
    List<HostJson> list() {
        return database.in(
                Tenant.ALL,
                transaction -> transaction.query(SELECT + "ORDER BY host_key", row -> Columns.all(row, HostJson::of)));
    }

    /** One of them. */
    HostJson find(String key) {
        return database.in(Tenant.ALL, transaction -> found(transaction, key, ""));
    }

    private static HostJson found(Transaction transaction, String key, String lock) {
        Optional<HostJson> host =
                transaction.query(SELECT + "WHERE host_key = ? " + lock, row -> Columns.first(row, HostJson::of), key);
        return host.orElseThrow(() -> ApiException.notFound("unknown_host", "There is no host '" + key + "'"));
    }

    /**
     * Makes one, with its default project.
     *
     * @throws ApiException 409 where the key is taken
     */
    HostJson make(String key, String name, String by) {
        UUID id = NewIds.next();
        String project = Known.defaultProject(id);
        try {
            HostJson made = database.in(Tenant.ALL, transaction -> {
                transaction.update(
                        "INSERT INTO control.host_t (host_id, host_key, name, update_user) VALUES (?, ?, ?, ?)",
                        id,
                        key,
                        name,
                        by);
                transaction.update("""
                        INSERT INTO control.project_t (host_id, project_id, project_key, name, update_user)
                        VALUES (?, ?, ?, 'Default', ?)
                        """, id, id, project, by);
                Audit.add(transaction, Entry.done(Known.DEFAULT_HOST, null, "host", "create", id, by));
                return found(transaction, key, "");
            });
            published.await(Project.key(project), 1L);
            return made;
        } catch (FailedException e) {
            if (e.duplicate().filter("host_t_host_key_key"::equals).isEmpty()) {
                throw e;
            }
            throw new ApiException(HttpStatus.CONFLICT, "host_key_taken", "Another host has this key.");
        }
    }

    /** Takes one back that nobody is in. */
    void takeBack(UUID host) {
        database.in(Tenant.ALL, transaction -> {
            transaction.update("DELETE FROM control.project_t WHERE host_id = ?", host);
            return transaction.update("DELETE FROM control.host_t WHERE host_id = ?", host);
        });
    }

    /**
     * Changes one; null leaves a thing as it is.
     *
     * @throws ApiException 404, 409 for the installation's own, 412 for another version
     */
    HostJson change(String key, @Nullable String name, @Nullable Boolean active, @Nullable String ifMatch, String by) {
        return database.in(Tenant.ALL, transaction -> {
            HostJson before = found(transaction, key, "FOR UPDATE");
            IfMatch.require(ifMatch, before.version());
            if (before.id().equals(Known.DEFAULT_HOST) && Boolean.FALSE.equals(active)) {
                throw new ApiException(
                        HttpStatus.CONFLICT, "default_host", "The installation's own host stays active.");
            }
            transaction.update("""
                    UPDATE control.host_t SET name = coalesce(?, name), active = coalesce(?, active),
                      aggregate_version = aggregate_version + 1, update_ts = now(), update_user = ? WHERE host_id = ?
                    """, name, active, by, before.id());
            if (active != null && active != before.active()) {
                // Versions of records of accounts grow, so that everybody takes them for newer.
                transaction.update("""
                        UPDATE control.user_host_t SET aggregate_version = aggregate_version + 1, update_ts = now(),
                          update_user = ? WHERE host_id = ?
                        """, by, before.id());
            }
            Audit.add(transaction, Entry.done(Known.DEFAULT_HOST, null, "host", "update", before.id(), by));
            return found(transaction, key, "");
        });
    }
}
