package dev.parley.control.catalogue;

import dev.parley.control.audit.Audit;
import dev.parley.control.definitions.CatalogueRow;
import dev.parley.control.definitions.CatalogueTable;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.definitions.Entry;
import dev.parley.control.definitions.ToolJson;
import dev.parley.control.http.Checks;
import dev.parley.control.http.JsonColumns;
import dev.parley.control.http.NewIds;
import dev.parley.control.http.Quota;
import dev.parley.control.outbox.PublicationBarrier;
import dev.parley.domain.definition.Definition;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.definitions.Versions;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.IfMatch;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tools and skills of projects and hosts, and endpoints of hosts. The tables are the source of truth; changes are published on
 * {@code definitions} and apply from the next call on.
 */
@Singleton
@Requires(property = "parley.role.control", value = "true", beans = KafkaDefinitions.class)
final class Catalogue {
    /** Versions per project or host: every instance that decides turns holds all of them in memory. */
    private static final int MAX_VERSIONS = 2_000;

    /** Of a project or host in all, compressed. */
    private static final int MAX_TOTAL_BYTES = 16 << 20;

    /** Of one entry; well below the record limit of {@code definitions}. */
    private static final int MAX_BYTES = 512 << 10;

    /** Older deleted versions are purged. */
    private static final int MAX_DELETED = 1_000;

    private static final String ACTIVE = CatalogueRow.HERE + " AND active";

    private final Database database;
    private final Audit audit;
    private final PublicationBarrier published;
    private final KafkaDefinitions definitions;

    Catalogue(Database database, PublicationBarrier published, KafkaDefinitions definitions, Audit audit) {
        this.audit = audit;
        this.database = database;
        this.published = published;
        this.definitions = definitions;
    }

    /** The newest visible version of each, by name: those of the project override the host's. */
    <B extends Entry> List<CatalogueRow<B>> visible(DefinitionScope scope, CatalogueTable<B> sort) {
        return database.in(scope.caller().tenant(), transaction -> visible(transaction, scope, sort));
    }

    /** All versions defined in the scope itself, by name. */
    <B extends Entry> List<CatalogueRow<B>> own(DefinitionScope scope, CatalogueTable<B> sort) {
        return database.in(
                scope.caller().tenant(),
                transaction -> transaction.query(
                        "SELECT * FROM " + sort.table() + ACTIVE + " ORDER BY name, version",
                        Columns.list(row -> CatalogueRow.of(row, sort)),
                        scope.host(),
                        scope.projectId()));
    }

    /** A version defined in the scope itself. */
    <B extends Entry> Optional<CatalogueRow<B>> own(DefinitionScope scope, CatalogueTable<B> sort, B body) {
        return database.in(
                scope.tenant(),
                transaction -> CatalogueRow.find(
                        transaction,
                        sort,
                        scope.scope(),
                        Objects.requireNonNull(body.name()),
                        Objects.requireNonNull(body.version())));
    }

    private static <B extends Entry> List<CatalogueRow<B>> visible(
            Transaction transaction, DefinitionScope scope, CatalogueTable<B> sort) {
        var seen = new TreeMap<String, CatalogueRow<B>>();
        for (CatalogueRow<B> row : rows(transaction, scope, sort, null)) {
            seen.merge(row.name(), row, Catalogue::nearerAndNewer);
        }
        return List.copyOf(seen.values());
    }

    private static <B extends Entry> CatalogueRow<B> nearerAndNewer(CatalogueRow<B> one, CatalogueRow<B> other) {
        if ((one.project() == null) != (other.project() == null)) {
            return one.project() == null ? other : one;
        }
        return Versions.OLDEST_FIRST.compare(one.version(), other.version()) > 0 ? one : other;
    }

    /** @param name null for all */
    private static <B extends Entry> List<CatalogueRow<B>> rows(
            Transaction transaction, DefinitionScope scope, CatalogueTable<B> sort, @Nullable String name) {
        String sql = "SELECT * FROM " + sort.table()
                + " WHERE host_id = ? AND active AND (project_id IS NULL OR project_id = ?::uuid)";
        Sql.Reader<List<CatalogueRow<B>>> reader = Columns.list(row -> CatalogueRow.of(row, sort));
        return name == null
                ? transaction.query(sql, reader, scope.host(), scope.projectId())
                : transaction.query(sql + " AND name = ?", reader, scope.host(), scope.projectId(), name);
    }

    /** All visible versions of an entry, newest first. @throws ApiException 404 when there is none */
    <B extends Entry> List<CatalogueRow<B>> versions(DefinitionScope scope, CatalogueTable<B> sort, String name) {
        return database.in(scope.caller().tenant(), transaction -> versions(transaction, scope, sort, name));
    }

    private static <B extends Entry> List<CatalogueRow<B>> versions(
            Transaction transaction, DefinitionScope scope, CatalogueTable<B> sort, String name) {
        List<CatalogueRow<B>> named = rows(transaction, scope, sort, name).stream()
                .sorted(Comparator.comparing((CatalogueRow<B> row) -> row.version(), Versions.OLDEST_FIRST.reversed()))
                .toList();
        boolean own = named.stream().anyMatch(row -> row.project() != null);
        List<CatalogueRow<B>> nearest =
                named.stream().filter(row -> !own || row.project() != null).toList();
        if (nearest.isEmpty()) {
            throw unknown(sort, name);
        }
        return nearest;
    }

    /** A visible version. @param version null for the newest @throws ApiException 404 when there is none */
    <B extends Entry> CatalogueRow<B> find(
            DefinitionScope scope, CatalogueTable<B> sort, String name, @Nullable String version) {
        return versions(scope, sort, name).stream()
                .filter(row -> version == null || row.version().equals(version))
                .findFirst()
                .orElseThrow(() -> unknown(sort, sort.recordName(name, String.valueOf(version))));
    }

    private static ApiException unknown(CatalogueTable<?> sort, String name) {
        return ApiException.notFound("unknown_" + sort.word(), "There is no %s '%s' here".formatted(sort.word(), name));
    }

    /** Defines a version in the scope. @throws ApiException 409 where it exists, or there are too many */
    <B extends Entry> CatalogueRow<B> make(DefinitionScope scope, CatalogueTable<B> sort, B body, boolean dryRun) {
        String name = Objects.requireNonNull(body.name());
        String version = Objects.requireNonNull(body.version());
        refuseInstallations(sort, name);
        refuseUnknownEndpoint(scope, body, dryRun);
        List<CatalogueRow<B>> others = sort == CatalogueTable.SKILL ? visible(scope, sort) : List.of();
        CatalogueRow<B> made = database.in(scope.tenant(), transaction -> {
            Quota.check(
                    transaction,
                    MAX_VERSIONS,
                    sort.word() + "s",
                    "SELECT 1 FROM " + sort.table() + ACTIVE,
                    scope.host(),
                    scope.projectId());
            if (CatalogueRow.find(transaction, sort, scope.scope(), name, version)
                    .isPresent()) {
                throw exists(scope, sort, name, version);
            }
            CycleCheck.check(sort, body, others);
            if (dryRun) {
                return dry(scope, body);
            }
            purge(transaction, sort, scope);
            if (insert(transaction, scope, sort, body) == 0) {
                throw exists(scope, sort, name, version);
            }
            return changed(transaction, scope, sort, "create", name, version);
        });
        return published(scope, sort, made, dryRun);
    }

    private void refuseInstallations(CatalogueTable<?> sort, String name) {
        if (sort == CatalogueTable.TOOL
                && (ToolSpec.OF_CHECKOUT.contains(name)
                        || definitions.installation().tool(name).isPresent())) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "builtin_tool",
                    "The tool '%s' is built in: choose another name.".formatted(name));
        }
    }

    /** Not checked in a dry run: the same files may define the endpoint. */
    private void refuseUnknownEndpoint(DefinitionScope scope, Entry body, boolean dryRun) {
        String endpoint = body instanceof ToolJson tool ? tool.endpoint() : null;
        if (endpoint != null
                && !dryRun
                && database.in(
                                scope.caller().tenant(),
                                transaction -> rows(transaction, scope, CatalogueTable.ENDPOINT, endpoint))
                        .isEmpty()) {
            throw Checks.invalid(
                    "implementation.endpoint",
                    "names no endpoint of the host: an administrator has to define '" + endpoint + "' first");
        }
    }

    private static <B extends Entry> CatalogueRow<B> dry(DefinitionScope scope, B body) {
        return new CatalogueRow<>(
                scope.host(),
                scope.projectId(),
                Objects.requireNonNull(body.name()),
                Objects.requireNonNull(body.version()),
                body,
                Instant.now(),
                0);
    }

    private static void purge(Transaction transaction, CatalogueTable<?> sort, DefinitionScope scope) {
        transaction.update(
                "DELETE FROM %1$s%2$s AND NOT active AND definition_id IN (SELECT definition_id FROM %1$s%2$s AND NOT active ORDER BY update_ts DESC OFFSET %3$d)"
                        .formatted(sort.table(), CatalogueRow.HERE, MAX_DELETED),
                scope.host(),
                scope.projectId(),
                scope.host(),
                scope.projectId());
    }

    private static <B extends Entry> int insert(
            Transaction transaction, DefinitionScope scope, CatalogueTable<B> sort, B body) {
        return transaction.update(
                """
                INSERT INTO %s AS t (host_id, definition_id, project_id, name, version, body, update_user)
                VALUES (?, ?, ?::uuid, ?, ?, ?::jsonb, ?)
                ON CONFLICT (host_id, project_id, name, version) DO UPDATE SET active = true, body = excluded.body,
                  aggregate_version = t.aggregate_version + 1, update_ts = now(), update_user = excluded.update_user
                WHERE NOT t.active
                """.formatted(sort.table()),
                scope.host(),
                NewIds.next(),
                scope.projectId(),
                body.name(),
                body.version(),
                JsonColumns.text(sort.write(body)),
                scope.caller().user());
    }

    private static ApiException exists(DefinitionScope scope, CatalogueTable<?> sort, String name, String version) {
        return new ApiException(
                HttpStatus.CONFLICT,
                sort.word() + "_exists",
                sort.hasVersions()
                        ? "The %s already has a %s '%s' of version %s: change it with PUT, or choose another version."
                                .formatted(scope.word(), sort.word(), name, version)
                        : "The %s already has the %s '%s': change it with PUT, or choose another name."
                                .formatted(scope.word(), sort.word(), name));
    }

    private <B extends Entry> CatalogueRow<B> changed(
            Transaction transaction,
            DefinitionScope scope,
            CatalogueTable<B> sort,
            String action,
            String name,
            String version) {
        refuseTooBig(transaction, scope, sort, name, version);
        audit(scope, sort, action, sort.recordName(name, version));
        return CatalogueRow.find(transaction, sort, scope.scope(), name, version)
                .orElseThrow();
    }

    /** Checks the sizes as stored, where numbers may be longer. @throws ApiException 413 */
    private static void refuseTooBig(
            Transaction transaction, DefinitionScope scope, CatalogueTable<?> sort, String name, String version) {
        int size = number(
                transaction,
                "SELECT octet_length(body::text) FROM " + sort.table() + ACTIVE + " AND name = ? AND version = ?",
                scope.host(),
                scope.projectId(),
                name,
                version);
        if (size > MAX_BYTES) {
            throw ApiException.tooLarge(
                    "The %s is too large: the limit is %d KiB".formatted(sort.word(), MAX_BYTES >> 10));
        }
        int all = number(
                transaction,
                "SELECT sum(pg_column_size(body)) FROM " + sort.table() + ACTIVE,
                scope.host(),
                scope.projectId());
        if (all > MAX_TOTAL_BYTES) {
            throw ApiException.tooLarge("The %ss of a %s are too large together: the limit is %d MiB"
                    .formatted(sort.word(), scope.word(), MAX_TOTAL_BYTES >> 20));
        }
    }

    private static int number(Transaction transaction, String sql, @Nullable Object... values) {
        return transaction.query(sql, row -> row.next() ? row.getInt(1) : 0, values);
    }

    private void audit(DefinitionScope scope, CatalogueTable<?> sort, String action, String what) {
        String by = scope.caller().user();
        audit.add(Audit.Entry.done(scope.host(), scope.projectId(), sort.word(), action, what, by));
    }

    private <B extends Entry> CatalogueRow<B> published(
            DefinitionScope scope, CatalogueTable<B> sort, CatalogueRow<B> row, boolean dryRun) {
        if (!dryRun) {
            Definition definition = sort.definition().apply(row.body());
            boolean enabled = !Boolean.FALSE.equals(row.body().enabled());
            published.awaitDefinition(scope.scope().key(definition), enabled ? definition : null);
        }
        return row;
    }

    /** Replaces a version. @throws ApiException 412 or 428 as {@link IfMatch} says, 404 and 403 */
    <B extends Entry> CatalogueRow<B> replace(
            DefinitionScope scope, CatalogueTable<B> sort, B body, @Nullable String ifMatch, boolean dryRun) {
        String name = Objects.requireNonNull(body.name());
        String version = Objects.requireNonNull(body.version());
        refuseUnknownEndpoint(scope, body, dryRun);
        List<CatalogueRow<B>> others = sort == CatalogueTable.SKILL ? visible(scope, sort) : List.of();
        CatalogueRow<B> replaced = changing(scope, sort, name, version, transaction -> {
            CatalogueRow<B> before = own(transaction, scope, sort, name, version);
            IfMatch.require(ifMatch, before.row());
            CycleCheck.check(sort, body, others);
            if (dryRun) {
                return dry(scope, body);
            }
            transaction.update(
                    "UPDATE " + sort.table()
                            + " SET body = ?::jsonb, aggregate_version = aggregate_version + 1, update_ts = now(), update_user = ?"
                            + ACTIVE + " AND name = ? AND version = ?",
                    JsonColumns.text(sort.write(body)),
                    scope.caller().user(),
                    scope.host(),
                    scope.projectId(),
                    name,
                    version);
            return changed(transaction, scope, sort, "change", name, version);
        });
        return published(scope, sort, replaced, dryRun);
    }

    /** The scope has no such version. */
    private static final class NotInScopeException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Changes a version of the scope. @throws ApiException 403 for an inherited one, 404 where there is none */
    private <T extends @Nullable Object> T changing(
            DefinitionScope scope,
            CatalogueTable<?> sort,
            String name,
            String version,
            Function<Transaction, T> change) {
        try {
            return database.in(scope.tenant(), change);
        } catch (NotInScopeException e) {
            find(scope, sort, name, version);
            throw new ApiException(
                    HttpStatus.FORBIDDEN,
                    "inherited_" + sort.word(),
                    "The %s '%s' is the host's. POST one of this name to override it here."
                            .formatted(sort.word(), name));
        }
    }

    private static <B extends Entry> CatalogueRow<B> own(
            Transaction transaction, DefinitionScope scope, CatalogueTable<B> sort, String name, String version) {
        return CatalogueRow.find(transaction, sort, scope.scope(), name, version)
                .orElseThrow(NotInScopeException::new);
    }

    /** Deletes a version of the scope; pending calls are refused. */
    void delete(DefinitionScope scope, CatalogueTable<?> sort, String name, String version, @Nullable String ifMatch) {
        changing(scope, sort, name, version, transaction -> {
            IfMatch.check(ifMatch, own(transaction, scope, sort, name, version).row());
            transaction.update(
                    "UPDATE " + sort.table()
                            + " SET active = false, aggregate_version = aggregate_version + 1, update_ts = now(), update_user = ?"
                            + ACTIVE + " AND name = ? AND version = ?",
                    scope.caller().user(),
                    scope.host(),
                    scope.projectId(),
                    name,
                    version);
            audit(scope, sort, "delete", sort.recordName(name, version));
            return null;
        });
        published.awaitDefinition(scope.scope().key(sort.word(), sort.recordName(name, version)), null);
    }
}
