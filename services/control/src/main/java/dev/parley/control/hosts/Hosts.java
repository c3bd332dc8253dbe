package dev.parley.control.hosts;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.NewIds;
import dev.parley.control.outbox.PublicationBarrier;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.IfMatch;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The tenants of this installation. */
@Singleton
final class Hosts {
    private final Database database;
    private final Audit audit;
    private final HostRows rows;
    private final PublicationBarrier published;

    Hosts(Database database, HostRows rows, PublicationBarrier published, Audit audit) {
        this.audit = audit;
        this.database = database;
        this.rows = rows;
        this.published = published;
    }

    List<HostJson> list() {
        return database.in(Tenant.ALL, rows::findAllOrderByKey);
    }

    HostJson find(String key) {
        return database.in(Tenant.ALL, () -> require(key, rows.findByKey(key)));
    }

    private static HostJson require(String key, Optional<HostJson> host) {
        return host.orElseThrow(() -> ApiException.notFound("unknown_host", "There is no host '" + key + "'"));
    }

    /**
     * Creates a host with its default project.
     *
     * @throws ApiException 409 where the key is taken
     */
    HostJson create(String key, String name, String actor) {
        UUID id = NewIds.next();
        String project = AccessDirectory.defaultProject(id);
        Instant now = Instant.now();
        try {
            HostJson created = database.in(Tenant.ALL, () -> {
                HostJson host = rows.save(new HostJson(id, key, name, true, now, now, actor, 1));
                rows.addDefaultProject(id, project, actor);
                audit.add(Entry.done(AccessDirectory.DEFAULT_HOST, null, "host", "create", id, actor));
                return host;
            });
            published.await(Project.key(project), 1L);
            return created;
        } catch (FailedException e) {
            if (e.duplicate().filter("host_t_host_key_key"::equals).isEmpty()) {
                throw e;
            }
            throw new ApiException(HttpStatus.CONFLICT, "host_key_taken", "Another host has this key.");
        }
    }

    /** Deletes a new host without people. */
    void deleteNew(UUID host) {
        database.in(Tenant.ALL, () -> {
            rows.deleteProjects(host);
            rows.deleteById(host);
        });
    }

    /**
     * Changes a host; null leaves a field unchanged.
     *
     * @throws ApiException 404, 409 for the default host, 412 for another version
     */
    HostJson change(
            String key, @Nullable String name, @Nullable Boolean active, @Nullable String ifMatch, String actor) {
        return database.in(Tenant.ALL, () -> {
            HostJson before = require(key, rows.findByKeyForUpdate(key));
            IfMatch.require(ifMatch, before.version());
            if (before.id().equals(AccessDirectory.DEFAULT_HOST) && Boolean.FALSE.equals(active)) {
                throw new ApiException(HttpStatus.CONFLICT, "default_host", "The default host cannot be deactivated.");
            }
            HostJson changed = rows.update(before.with()
                    .name(name == null ? before.name() : name)
                    .active(active == null ? before.active() : active)
                    .updatedBy(actor)
                    .build());
            if (changed.active() != before.active()) {
                rows.touchPeople(before.id(), actor);
            }
            audit.add(Entry.done(AccessDirectory.DEFAULT_HOST, null, "host", "update", before.id(), actor));
            return changed;
        });
    }
}
