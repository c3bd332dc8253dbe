package dev.parley.control.catalogue;

import dev.parley.control.audit.Audit;
import dev.parley.control.definitions.CatalogueRow;
import dev.parley.control.definitions.CatalogueRows;
import dev.parley.control.definitions.CatalogueTable;
import dev.parley.control.definitions.DefinitionEntry;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.definitions.ToolJson;
import dev.parley.control.http.Checks;
import dev.parley.control.http.Quota;
import dev.parley.control.outbox.PublicationBarrier;
import dev.parley.domain.definition.Definition;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.definitions.DefinitionVersions;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.document.Stored.Valid;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.IfMatch;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tools and skills of projects and hosts, and endpoints of hosts. The tables are the source of truth; changes are
 * published on {@code definitions} and apply from the next call on.
 */
@Singleton
@Requires(beans = KafkaDefinitions.class)
final class Catalogue {
    /** Versions per project or host: every instance that decides turns holds all of them in memory. */
    private static final int MAX_VERSIONS = 2_000;

    private final Database database;
    private final Audit audit;
    private final PublicationBarrier published;
    private final KafkaDefinitions definitions;
    private final PublishedPowers powers;

    Catalogue(
            Database database,
            PublicationBarrier published,
            KafkaDefinitions definitions,
            PublishedPowers powers,
            Audit audit) {
        this.powers = powers;
        this.audit = audit;
        this.database = database;
        this.published = published;
        this.definitions = definitions;
    }

    /** The newest visible version of each, by name: those of the project override the host's. */
    <B extends DefinitionEntry> List<CatalogueRow<B>> visible(DefinitionScope scope, CatalogueTable<B> table) {
        return database.in(scope.caller().tenant(), transaction -> newest(rows(transaction, scope, table)));
    }

    private static <B extends DefinitionEntry> CatalogueRows<B> rows(
            Transaction transaction, DefinitionScope scope, CatalogueTable<B> table) {
        return new CatalogueRows<>(transaction, table, scope.scope());
    }

    /** All versions defined in the scope itself, by name. */
    <B extends DefinitionEntry> List<CatalogueRow<B>> own(DefinitionScope scope, CatalogueTable<B> table) {
        return database.in(
                scope.caller().tenant(),
                transaction -> rows(transaction, scope, table).own());
    }

    /** A version defined in the scope itself. */
    <B extends DefinitionEntry> Optional<CatalogueRow<B>> own(DefinitionScope scope, CatalogueTable<B> table, B body) {
        return database.in(
                scope.tenant(), transaction -> rows(transaction, scope, table).locked(body.name(), body.version()));
    }

    private static <B extends DefinitionEntry> List<CatalogueRow<B>> newest(CatalogueRows<B> rows) {
        var newest = new TreeMap<String, CatalogueRow<B>>();
        rows.visible(null).forEach(row -> newest.merge(row.name(), row, Catalogue::nearestAndNewest));
        return List.copyOf(newest.values());
    }

    private static <B extends DefinitionEntry> CatalogueRow<B> nearestAndNewest(
            CatalogueRow<B> first, CatalogueRow<B> second) {
        if ((first.project() == null) != (second.project() == null)) {
            return first.project() == null ? second : first;
        }
        return DefinitionVersions.OLDEST_FIRST.compare(first.version(), second.version()) > 0 ? first : second;
    }

    /**
     * All visible versions of an entry, newest first.
     *
     * @throws ApiException 404 when there is none
     */
    <B extends DefinitionEntry> List<CatalogueRow<B>> versions(
            DefinitionScope scope, CatalogueTable<B> table, String name) {
        return database.in(scope.caller().tenant(), transaction -> versions(rows(transaction, scope, table), name));
    }

    private static <B extends DefinitionEntry> List<CatalogueRow<B>> versions(CatalogueRows<B> rows, String name) {
        List<CatalogueRow<B>> versions = rows.visible(name).stream()
                .sorted(Comparator.comparing(
                        (CatalogueRow<B> row) -> row.version(), DefinitionVersions.OLDEST_FIRST.reversed()))
                .toList();
        boolean hasOwn = versions.stream().anyMatch(row -> row.project() != null);
        List<CatalogueRow<B>> nearest = versions.stream()
                .filter(row -> !hasOwn || row.project() != null)
                .toList();
        if (nearest.isEmpty()) {
            throw unknown(rows.table(), name);
        }
        return nearest;
    }

    /**
     * A visible version.
     *
     * @param version null for the newest
     * @throws ApiException 404 when there is none
     */
    <B extends DefinitionEntry> CatalogueRow<B> find(
            DefinitionScope scope, CatalogueTable<B> table, String name, @Nullable String version) {
        return versions(scope, table, name).stream()
                .filter(row -> version == null || row.version().equals(version))
                .findFirst()
                .orElseThrow(() -> unknown(table, table.recordName(name, String.valueOf(version))));
    }

    private static ApiException unknown(CatalogueTable<?> table, String name) {
        return ApiException.notFound(
                "unknown_" + table.kind(), "There is no %s '%s' here".formatted(table.kind(), name));
    }

    /**
     * Defines a version in the scope.
     *
     * @throws ApiException 409 where it exists, or there are too many
     */
    <B extends DefinitionEntry> CatalogueRow<B> create(
            DefinitionScope scope, CatalogueTable<B> table, B body, boolean dryRun) {
        String name = body.name();
        String version = body.version();
        requireNotBuiltIn(table, name);
        powers.check(scope, body);
        requireEndpoint(scope, body, dryRun);
        List<CatalogueRow<B>> visibleSkills = table == CatalogueTable.SKILL ? visible(scope, table) : List.of();
        CatalogueRow<B> created = database.in(scope.tenant(), transaction -> {
            CatalogueRows<B> rows = rows(transaction, scope, table);
            requireNew(scope, rows, name, version);
            CycleCheck.check(table, body, visibleSkills);
            if (dryRun) {
                return unsaved(scope, body);
            }
            rows.purge();
            if (rows.insert(body, scope.caller().user()) == 0) {
                throw exists(scope, table, name, version);
            }
            return changed(scope, rows, "create", name, version);
        });
        return publish(scope, table, created, dryRun);
    }

    /** @throws ApiException 409 where the version exists, or there are too many */
    private static void requireNew(DefinitionScope scope, CatalogueRows<?> rows, String name, String version) {
        Quota.check(
                rows.transaction(),
                rows.scope(),
                rows::count,
                MAX_VERSIONS,
                rows.table().kind() + "s");
        if (rows.locked(name, version).isPresent()) {
            throw exists(scope, rows.table(), name, version);
        }
    }

    private void requireNotBuiltIn(CatalogueTable<?> table, String name) {
        if (table == CatalogueTable.TOOL
                && (ToolSpec.OF_CHECKOUT.contains(name)
                        || definitions.installation().tool(name).isPresent())) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "builtin_tool",
                    "The tool '%s' is built in: choose another name.".formatted(name));
        }
    }

    /** Requires that the endpoint of a tool exists, except in a dry run: the same files may define it. */
    private void requireEndpoint(DefinitionScope scope, DefinitionEntry body, boolean dryRun) {
        String endpoint = body instanceof ToolJson tool ? tool.endpoint() : null;
        if (endpoint != null
                && !dryRun
                && database.in(
                                scope.caller().tenant(),
                                transaction -> rows(transaction, scope, CatalogueTable.ENDPOINT)
                                        .visible(endpoint))
                        .isEmpty()) {
            throw Checks.invalid(
                    "implementation.endpoint",
                    "names no endpoint of the host: an administrator has to define '" + endpoint + "' first");
        }
    }

    private static <B extends DefinitionEntry> CatalogueRow<B> unsaved(DefinitionScope scope, B body) {
        return new CatalogueRow<>(
                scope.host(), scope.projectId(), body.name(), body.version(), new Valid<>(body), Instant.now(), 0);
    }

    private static ApiException exists(DefinitionScope scope, CatalogueTable<?> table, String name, String version) {
        return new ApiException(
                HttpStatus.CONFLICT,
                table.kind() + "_exists",
                table.hasVersions()
                        ? "The %s already has a %s '%s' of version %s: change it with PUT, or choose another version."
                                .formatted(scope.word(), table.kind(), name, version)
                        : "The %s already has the %s '%s': change it with PUT, or choose another name."
                                .formatted(scope.word(), table.kind(), name));
    }

    private <B extends DefinitionEntry> CatalogueRow<B> changed(
            DefinitionScope scope, CatalogueRows<B> rows, String action, String name, String version) {
        rows.requireSize(name, version);
        audit(scope, rows.table(), action, rows.table().recordName(name, version));
        return rows.locked(name, version).orElseThrow();
    }

    private void audit(DefinitionScope scope, CatalogueTable<?> table, String action, String subject) {
        String user = scope.caller().user();
        audit.add(Audit.Entry.done(scope.host(), scope.projectId(), table.kind(), action, subject, user));
    }

    private <B extends DefinitionEntry> CatalogueRow<B> publish(
            DefinitionScope scope, CatalogueTable<B> table, CatalogueRow<B> row, boolean dryRun) {
        if (!dryRun) {
            B body = row.stored().require();
            Definition definition = table.definition().apply(body);
            boolean enabled = body.enabled();
            published.awaitDefinition(scope.scope().key(definition), enabled ? definition : null);
        }
        return row;
    }

    /**
     * Replaces a version.
     *
     * @throws ApiException 412 or 428 as {@link IfMatch} says, 404 and 403
     */
    <B extends DefinitionEntry> CatalogueRow<B> replace(
            DefinitionScope scope, CatalogueTable<B> table, B body, @Nullable String ifMatch, boolean dryRun) {
        String name = body.name();
        String version = body.version();
        powers.check(scope, body);
        requireEndpoint(scope, body, dryRun);
        List<CatalogueRow<B>> visibleSkills = table == CatalogueTable.SKILL ? visible(scope, table) : List.of();
        CatalogueRow<B> replaced = changeOwn(scope, table, name, version, rows -> {
            IfMatch.require(ifMatch, own(rows, name, version).row());
            CycleCheck.check(table, body, visibleSkills);
            if (dryRun) {
                return unsaved(scope, body);
            }
            rows.update(body, scope.caller().user());
            return changed(scope, rows, "change", name, version);
        });
        return publish(scope, table, replaced, dryRun);
    }

    /** The scope has no such version. */
    private static final class NotInScopeException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /**
     * Changes a version of the scope.
     *
     * @throws ApiException 403 for an inherited one, 404 where there is none
     */
    private <B extends DefinitionEntry, T extends @Nullable Object> T changeOwn(
            DefinitionScope scope,
            CatalogueTable<B> table,
            String name,
            String version,
            Function<CatalogueRows<B>, T> change) {
        try {
            return database.in(scope.tenant(), transaction -> change.apply(rows(transaction, scope, table)));
        } catch (NotInScopeException e) {
            find(scope, table, name, version);
            throw new ApiException(
                    HttpStatus.FORBIDDEN,
                    "inherited_" + table.kind(),
                    "The %s '%s' is the host's. POST one of this name to override it here."
                            .formatted(table.kind(), name));
        }
    }

    private static <B extends DefinitionEntry> CatalogueRow<B> own(CatalogueRows<B> rows, String name, String version) {
        return rows.locked(name, version).orElseThrow(NotInScopeException::new);
    }

    /** Deletes a version of the scope; pending calls are refused. */
    void delete(DefinitionScope scope, CatalogueTable<?> table, String name, String version, @Nullable String ifMatch) {
        changeOwn(scope, table, name, version, rows -> {
            IfMatch.check(ifMatch, own(rows, name, version).row());
            rows.delete(name, version, scope.caller().user());
            audit(scope, table, "delete", table.recordName(name, version));
            return null;
        });
        published.awaitDefinition(scope.scope().key(table.kind(), table.recordName(name, version)), null);
    }
}
