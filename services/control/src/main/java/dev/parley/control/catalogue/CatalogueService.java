package dev.parley.control.catalogue;

import dev.parley.control.definitions.CatalogueRow;
import dev.parley.control.definitions.CatalogueTable;
import dev.parley.control.definitions.DefinitionEntry;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.definitions.SkillEntry;
import dev.parley.control.http.Checks;
import dev.parley.platform.document.Stored.Refused;
import dev.parley.platform.document.Stored.Valid;
import dev.parley.platform.embedding.HybridSearch;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.IfMatch;
import dev.parley.platform.http.Page;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;
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
    <B extends DefinitionEntry> Page<JsonNode> list(
            DefinitionScope scope,
            CatalogueTable<B> table,
            Predicate<B> fits,
            @Nullable String query,
            @Nullable Integer limit,
            @Nullable String after) {
        int max = Cursor.limit(limit);
        Cursor cursor = Cursor.parse(after);
        Stream<CatalogueRow<B>> fitting = catalogue.visible(scope, table).stream()
                .filter(row -> row.stored().valid().map(fits::test).orElse(true));
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
        return Page.of(rows, max, row -> json(scope, table, row), row -> Cursor.of(true, row.name()));
    }

    private <B extends DefinitionEntry> Page<JsonNode> searchPage(
            DefinitionScope scope, CatalogueTable<B> table, Stream<CatalogueRow<B>> fitting, String query, int max) {
        String text = Checks.requireText("q", query, 500);
        return new Page<>(
                search.find(text, fitting.toList(), CatalogueRow::searchText, max).stream()
                        .map(row -> json(scope, table, row))
                        .toList(),
                null);
    }

    List<SkillTree> tree(DefinitionScope scope) {
        return SkillTree.of(catalogue.visible(scope, CatalogueTable.SKILL).stream()
                .flatMap(row -> row.stored().valid().stream())
                .map(SkillEntry::skill)
                .toList());
    }

    <B extends DefinitionEntry> List<JsonNode> versions(DefinitionScope scope, CatalogueTable<B> table, String name) {
        return catalogue.versions(scope, table, name).stream()
                .map(row -> json(scope, table, row))
                .toList();
    }

    private static <B extends DefinitionEntry> B visibleBody(
            DefinitionScope scope, CatalogueTable<B> table, CatalogueRow<B> row) {
        DefinitionEntry entry = row.stored().require().withServerFields(source(row), row.updatedAt());
        return table.type().cast(isInherited(scope, row) ? entry.redacted() : entry);
    }

    private static String source(CatalogueRow<?> row) {
        return row.project() == null ? "host" : "project";
    }

    private static boolean isInherited(DefinitionScope scope, CatalogueRow<?> row) {
        return row.project() == null && scope.project() != null;
    }

    /** An entry; one that this build refuses has its name and what is wrong with it. */
    private static <B extends DefinitionEntry> JsonNode json(
            DefinitionScope scope, CatalogueTable<B> table, CatalogueRow<B> row) {
        return switch (row.stored()) {
            case Valid<B> _ -> table.write(visibleBody(scope, table, row));
            case Refused<B> refused -> {
                var json = new LinkedHashMap<String, @Nullable Object>();
                json.put("name", row.name());
                json.put("version", row.version());
                json.put("source", source(row));
                json.put("updatedAt", row.updatedAt().toString());
                refused.describe(json, !isInherited(scope, row));
                yield JsonNode.from(json);
            }
        };
    }

    private static <T> MutableHttpResponse<T> withETag(MutableHttpResponse<T> response, CatalogueRow<?> row) {
        return row.row() == 0 ? response : response.header("ETag", IfMatch.tag(row.row()));
    }

    <B extends DefinitionEntry, T> HttpResponse<T> show(
            DefinitionScope scope,
            CatalogueTable<B> table,
            String name,
            @Nullable String version,
            Function<JsonNode, T> view) {
        CatalogueRow<B> row = catalogue.find(scope, table, name, version);
        return withETag(HttpResponse.ok(view.apply(json(scope, table, row))), row);
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
