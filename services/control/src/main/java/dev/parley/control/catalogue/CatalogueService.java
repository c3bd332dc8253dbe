package dev.parley.control.catalogue;

import dev.parley.control.definitions.CatalogueRow;
import dev.parley.control.definitions.CatalogueTable;
import dev.parley.control.definitions.DefinitionEntry;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.http.Checks;
import dev.parley.platform.embedding.HybridSearch;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.IfMatch;
import dev.parley.platform.http.Page;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Operations shared by the routes of tools, skills and endpoints. */
@Singleton
@Requires(beans = Catalogue.class)
final class CatalogueService {
    private final Catalogue catalogue;
    private final HybridSearch search;

    CatalogueService(Catalogue catalogue, HybridSearch search) {
        this.catalogue = catalogue;
        this.search = search;
    }

    /** The newest versions that match, by name; with a search text the best first, on one page. */
    <B extends DefinitionEntry> Page<B> list(
            DefinitionScope scope,
            CatalogueTable<B> table,
            Predicate<B> fits,
            @Nullable String query,
            @Nullable Integer limit,
            @Nullable String after) {
        int max = Cursor.limit(limit);
        Cursor cursor = Cursor.parse(after);
        Stream<CatalogueRow<B>> fitting =
                catalogue.visible(scope, table).stream().filter(row -> fits.test(row.body()));
        if (query != null) {
            if (cursor != null) {
                throw ApiException.badRequest(
                        "invalid_cursor", "A search returns one page: omit cursor, and raise limit for more results");
            }
            return searchPage(scope, table, fitting, query, max);
        }
        List<CatalogueRow<B>> rows = fitting.filter(
                        row -> cursor == null || row.name().compareTo(cursor.second()) > 0)
                .limit(max + 1L)
                .toList();
        return Page.of(rows, max, row -> visibleBody(scope, table, row), row -> Cursor.of(true, row.name()));
    }

    private <B extends DefinitionEntry> Page<B> searchPage(
            DefinitionScope scope, CatalogueTable<B> table, Stream<CatalogueRow<B>> fitting, String query, int max) {
        String text = Checks.requireText("q", query, 500);
        return new Page<>(
                search.find(text, fitting.toList(), row -> row.body().searchText(), max).stream()
                        .map(row -> visibleBody(scope, table, row))
                        .toList(),
                null);
    }

    List<SkillTree> tree(DefinitionScope scope) {
        return SkillTree.of(catalogue.visible(scope, CatalogueTable.SKILL).stream()
                .map(row -> row.body().skill())
                .toList());
    }

    <B extends DefinitionEntry> List<B> versions(DefinitionScope scope, CatalogueTable<B> table, String name) {
        return catalogue.versions(scope, table, name).stream()
                .map(row -> visibleBody(scope, table, row))
                .toList();
    }

    private static <B extends DefinitionEntry> B visibleBody(
            DefinitionScope scope, CatalogueTable<B> table, CatalogueRow<B> row) {
        boolean isOfHost = row.project() == null;
        DefinitionEntry entry = row.body().withServerFields(isOfHost ? "host" : "project", row.updatedAt());
        return table.type().cast(isOfHost && scope.project() != null ? entry.redacted() : entry);
    }

    private static <B extends DefinitionEntry> MutableHttpResponse<B> withETag(
            MutableHttpResponse<B> response, CatalogueRow<B> row) {
        return row.row() == 0 ? response : response.header("ETag", IfMatch.tag(row.row()));
    }

    <B extends DefinitionEntry> HttpResponse<B> show(
            DefinitionScope scope, CatalogueTable<B> table, String name, @Nullable String version) {
        CatalogueRow<B> row = catalogue.find(scope, table, name, version);
        return withETag(HttpResponse.ok(visibleBody(scope, table, row)), row);
    }

    <B extends DefinitionEntry> HttpResponse<B> create(
            DefinitionScope scope, CatalogueTable<B> table, B body, @Nullable Boolean dryRun) {
        boolean dry = Boolean.TRUE.equals(dryRun);
        CatalogueRow<B> created = catalogue.create(scope, table, body, dry);
        B entry = visibleBody(scope, table, created);
        return withETag(dry ? HttpResponse.ok(entry) : HttpResponse.created(entry), created);
    }

    <B extends DefinitionEntry> HttpResponse<B> replace(
            DefinitionScope scope,
            CatalogueTable<B> table,
            B body,
            @Nullable String ifMatch,
            @Nullable Boolean dryRun) {
        CatalogueRow<B> replaced = catalogue.replace(scope, table, body, ifMatch, Boolean.TRUE.equals(dryRun));
        return withETag(HttpResponse.ok(visibleBody(scope, table, replaced)), replaced);
    }

    HttpResponse<Void> delete(
            DefinitionScope scope, CatalogueTable<?> table, String name, String version, @Nullable String ifMatch) {
        catalogue.delete(scope, table, name, version, ifMatch);
        return HttpResponse.noContent();
    }
}
