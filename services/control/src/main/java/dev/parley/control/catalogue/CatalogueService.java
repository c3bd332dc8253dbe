package dev.parley.control.catalogue;

import dev.parley.control.definitions.CatalogueRow;
import dev.parley.control.definitions.CatalogueTable;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.definitions.Entry;
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
@Requires(property = "parley.role.control", value = "true", beans = Catalogue.class)
final class CatalogueService {
    private final Catalogue catalogue;
    private final HybridSearch search;

    CatalogueService(Catalogue catalogue, HybridSearch search) {
        this.catalogue = catalogue;
        this.search = search;
    }

    /** The newest versions that match, by name; with a search text the best first, on one page. */
    <B extends Entry> Page<B> list(
            DefinitionScope scope,
            CatalogueTable<B> sort,
            Predicate<B> fits,
            @Nullable String question,
            @Nullable Integer limit,
            @Nullable String after) {
        int most = Cursor.limit(limit);
        Cursor cursor = Cursor.parse(after);
        Stream<CatalogueRow<B>> fitting =
                catalogue.visible(scope, sort).stream().filter(row -> fits.test(row.body()));
        if (question != null) {
            if (cursor != null) {
                throw ApiException.badRequest(
                        "invalid_cursor", "A search returns one page: omit cursor, and raise limit for more results");
            }
            String asked = Checks.required("q", question, 500);
            return new Page<>(
                    search.find(asked, fitting.toList(), row -> row.body().searchText(), most).stream()
                            .map(row -> shown(scope, sort, row))
                            .toList(),
                    null);
        }
        List<CatalogueRow<B>> rows = fitting.filter(
                        row -> cursor == null || row.name().compareTo(cursor.second()) > 0)
                .limit(most + 1L)
                .toList();
        return Page.of(rows, most, row -> shown(scope, sort, row), row -> Cursor.of(true, row.name()));
    }

    List<SkillTree> tree(DefinitionScope scope) {
        return SkillTree.of(catalogue.visible(scope, CatalogueTable.SKILL).stream()
                .map(CatalogueRow::body)
                .toList());
    }

    <B extends Entry> List<B> versions(DefinitionScope scope, CatalogueTable<B> sort, String name) {
        return catalogue.versions(scope, sort, name).stream()
                .map(row -> shown(scope, sort, row))
                .toList();
    }

    private static <B extends Entry> B shown(DefinitionScope scope, CatalogueTable<B> sort, CatalogueRow<B> row) {
        boolean hosts = row.project() == null;
        Entry shown = row.body().withServerFields(hosts ? "host" : "project", row.updatedAt());
        return sort.type().cast(hosts && scope.project() != null ? shown.redacted() : shown);
    }

    private static <B extends Entry> MutableHttpResponse<B> tagged(MutableHttpResponse<B> answer, CatalogueRow<B> row) {
        return row.row() == 0 ? answer : answer.header("ETag", IfMatch.tag(row.row()));
    }

    <B extends Entry> HttpResponse<B> show(
            DefinitionScope scope, CatalogueTable<B> sort, String name, @Nullable String version) {
        CatalogueRow<B> row = catalogue.find(scope, sort, name, version);
        return tagged(HttpResponse.ok(shown(scope, sort, row)), row);
    }

    <B extends Entry> HttpResponse<B> make(
            DefinitionScope scope, CatalogueTable<B> sort, B body, @Nullable Boolean dryRun) {
        boolean dry = Boolean.TRUE.equals(dryRun);
        CatalogueRow<B> made = catalogue.make(scope, sort, body, dry);
        B shown = shown(scope, sort, made);
        return tagged(dry ? HttpResponse.ok(shown) : HttpResponse.created(shown), made);
    }

    <B extends Entry> HttpResponse<B> replace(
            DefinitionScope scope, CatalogueTable<B> sort, B body, @Nullable String ifMatch, @Nullable Boolean dryRun) {
        CatalogueRow<B> now = catalogue.replace(scope, sort, body, ifMatch, Boolean.TRUE.equals(dryRun));
        return tagged(HttpResponse.ok(shown(scope, sort, now)), now);
    }

    HttpResponse<Void> delete(
            DefinitionScope scope, CatalogueTable<?> sort, String name, String version, @Nullable String ifMatch) {
        catalogue.delete(scope, sort, name, version, ifMatch);
        return HttpResponse.noContent();
    }
}
