package dev.parley.workflows.catalogue;

import dev.parley.domain.Ids;
import dev.parley.domain.Sha256;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.power.PowerGrants;
import dev.parley.workflows.catalogue.DefinitionRows.ScopedName;
import dev.parley.workflows.catalogue.DefinitionRows.VersionId;
import dev.parley.workflows.definition.DefinitionReader;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.work.CallExecutors;
import jakarta.inject.Singleton;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Catalogue of published definitions: publishes, finds and deletes versions. */
@Singleton
public final class WorkflowCatalogue {
    /** Maximum size of a definition in characters. */
    public static final int MAX_LENGTH = 256 << 10;

    /** Maximum number of versions of a host or project, including deleted ones. */
    private static final int MAX_VERSIONS = 10_000;

    private static final int MAX_SUMMARY_LENGTH = 2_000;

    private final DefinitionRows rows;
    private final Database database;
    private final PowerGrants powers;

    WorkflowCatalogue(DefinitionRows rows, Database database, ParleyConfig config) {
        this.powers = config.powers();
        this.rows = rows;
        this.database = database;
    }

    /**
     * The scope of a definition: a host or a project.
     *
     * @param project null for the host
     */
    public record Scope(UUID host, @Nullable UUID project) {
        Tenant tenant() {
            return Tenant.of(host);
        }

        private CatalogueScope publisher() {
            return new CatalogueScope(host, project);
        }
    }

    /**
     * The version of a name whose schedule runs.
     *
     * @param row the newest version that was published; null if there is none
     * @param revision of the name: a higher one means later changes
     */
    public record Newest(@Nullable DefinitionRow row, long revision) {}

    /** The result of a publication. */
    public sealed interface Publication {
        /** Published, or the same text had been published before. */
        record Published(DefinitionRow row, Workflow workflow, boolean isNew) implements Publication {}

        /** The version exists with different content. */
        record VersionExists(String reference) implements Publication {}

        /** The limit of versions is reached. */
        record TooMany(int limit) implements Publication {}
    }

    /**
     * Compiles a definition for a scope.
     *
     * @throws dev.parley.workflows.definition.InvalidDefinitionException if it is invalid, not supported by this
     *     server, or uses a power that is not granted to the scope
     */
    public Workflow read(Scope scope, String yaml) {
        return DefinitionReader.read(yaml, feature -> CallExecutors.refusal(feature, powers, scope.publisher()));
    }

    /**
     * Publishes a version. Publishing the same text again sets its schedule again, in the name of its first publisher;
     * it restores a deleted version, and makes the user the publisher of an imported one.
     *
     * @param user the publishing user
     * @throws dev.parley.workflows.definition.InvalidDefinitionException if it is invalid or not supported by this
     *     server
     */
    public Publication publish(Scope scope, String yaml, String user) {
        return add(scope, yaml, user, false);
    }

    /** Like {@link #publish}, but its schedule does not run before it is published. */
    public Publication importVersion(Scope scope, String yaml, String user) {
        return add(scope, yaml, user, true);
    }

    private Publication add(Scope scope, String yaml, String user, boolean imported) {
        Workflow workflow = read(scope, yaml);
        String digest = Sha256.hex(yaml);
        return database.in(scope.tenant(), transaction -> {
            long revision = beginChange(transaction, scope, workflow.namespace(), workflow.name());
            DefinitionRow existing = version(scope, workflow).orElse(null);
            if (existing == null && rows.count(scope.host(), scope.project()) >= MAX_VERSIONS) {
                return new Publication.TooMany(MAX_VERSIONS);
            }
            if (existing == null) {
                insert(scope, workflow, yaml, digest, imported ? 0 : revision, imported, user);
            } else if (!existing.digest().equals(digest)) {
                return new Publication.VersionExists(existing.reference());
            } else {
                restore(scope, existing, revision, imported, user);
            }
            boolean isNew = existing == null || !existing.active();
            return new Publication.Published(version(scope, workflow).orElseThrow(), workflow, isNew);
        });
    }

    /**
     * Waits for other changes of the scope, so that their order is that of their revisions; returns the revision of
     * this one.
     */
    private long beginChange(Transaction transaction, Scope scope, String namespace, String name) {
        transaction.lock("workflows/" + scope);
        return rows.nextRevision(scope.host(), scope.project(), namespace, name);
    }

    private void insert(
            Scope scope, Workflow workflow, String yaml, String digest, long revision, boolean imported, String user) {
        UUID id = Workflow.id(scope.host(), scope.project(), workflow.reference());
        Json document = workflow.source().get("document");
        rows.insert(
                scope.host(),
                id,
                scope.project(),
                workflow.namespace(),
                workflow.name(),
                workflow.version(),
                yaml,
                digest,
                summary(document.get("title")),
                summary(document.get("summary")),
                revision,
                imported,
                user);
    }

    private static @Nullable String summary(Json value) {
        return value.text()
                .map(text -> text.length() > MAX_SUMMARY_LENGTH ? text.substring(0, MAX_SUMMARY_LENGTH) : text)
                .orElse(null);
    }

    private Optional<DefinitionRow> version(Scope scope, Workflow workflow) {
        return rows.version(scope.host(), scope.project(), workflow.namespace(), workflow.name(), workflow.version());
    }

    /** Restores a deleted version, and publishes an imported one. An import is no change of what is scheduled. */
    private void restore(Scope scope, DefinitionRow row, long revision, boolean imported, String user) {
        if (!imported) {
            int changed = rows.activate(scope.host(), scope.project(), row.wfDefId(), true, revision, false, user);
            if (changed == 0) {
                rows.renew(scope.host(), scope.project(), row.wfDefId(), revision);
            }
        } else if (!row.active()) {
            rows.activate(scope.host(), scope.project(), row.wfDefId(), true, row.revision(), true, user);
        }
    }

    /**
     * A page of the definitions of a scope, by name.
     *
     * @param after the last id of the page before, or null
     */
    public List<DefinitionRow> page(
            Scope scope,
            @Nullable String namespace,
            @Nullable String name,
            @Nullable String afterName,
            @Nullable UUID after,
            int limit) {
        return database.listingIn(
                scope.tenant(),
                () -> rows.page(scope.host(), scope.project(), namespace, name, afterName, after, limit));
    }

    /**
     * Finds a definition of the project or its host; the project's takes precedence.
     *
     * @param reference an id, {@code namespace:name} for the newest version, or {@code namespace:name:version}
     */
    public Optional<DefinitionRow> find(Scope scope, String reference) {
        String[] parts = reference.split(":", -1);
        return database.in(scope.tenant(), () -> switch (parts.length) {
            case 1 -> id(reference).flatMap(id -> rows.find(scope.host(), scope.project(), id));
            case 2 -> newestOf(scope, parts[0], parts[1]);
            case 3 ->
                rows.versions(scope.host(), scope.project(), parts[0], parts[1]).stream()
                        .filter(row -> row.version().equals(parts[2]))
                        .min(Comparator.comparing((DefinitionRow row) -> row.projectId() == null));
            default -> Optional.empty();
        });
    }

    /** The version whose schedule runs, of this scope only, on one snapshot with its revision. */
    public Newest newest(Scope scope, String namespace, String name) {
        return database.readingIn(scope.tenant(), () -> {
            Optional<DefinitionRow> newest = rows.published(scope.host(), scope.project(), namespace, name).stream()
                    .max(Comparator.comparing(VersionId::version, WorkflowVersions.ORDER))
                    .flatMap(version -> rows.find(scope.host(), scope.project(), version.wfDefId()));
            return new Newest(newest.orElse(null), rows.revision(scope.host(), scope.project(), namespace, name));
        });
    }

    /** Records that the schedule has taken over the changes up to a revision. */
    public void confirm(Scope scope, String namespace, String name, long revision) {
        database.in(scope.tenant(), () -> rows.confirm(scope.host(), scope.project(), namespace, name, revision));
    }

    /** Names, of all hosts, whose schedules have not confirmed a change for half a minute; the oldest. */
    public List<ScopedName> unconfirmed() {
        return database.in(Tenant.ALL, rows::unconfirmed);
    }

    /** The definition with this id. */
    public Optional<DefinitionRow> byId(Scope scope, UUID id) {
        return database.in(scope.tenant(), () -> rows.find(scope.host(), scope.project(), id));
    }

    private Optional<DefinitionRow> newestOf(Scope scope, String namespace, String name) {
        return rows.versions(scope.host(), scope.project(), namespace, name).stream()
                .max(Comparator.comparing((DefinitionRow row) -> row.projectId() != null)
                        .thenComparing(DefinitionRow::version, WorkflowVersions.ORDER));
    }

    private static Optional<UUID> id(String text) {
        try {
            return Optional.of(Ids.parse(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Deletes a version: running processes continue, and no new ones start; returns whether it existed. */
    public boolean delete(Scope scope, DefinitionRow row, String user) {
        return database.in(scope.tenant(), transaction -> {
            long revision = beginChange(transaction, scope, row.namespace(), row.name());
            return rows.activate(scope.host(), scope.project(), row.wfDefId(), false, revision, false, user) == 1;
        });
    }
}
