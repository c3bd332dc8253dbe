package dev.parley.sessions.api;

import dev.parley.domain.access.Capability;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.sessions.SearchQuery;
import dev.parley.sessions.api.PartRows.Found;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Full-text search over messages. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Search", description = "Full-text search over messages.")
class SearchController {
    private static final int MAX_OFFSET = 1_000;

    private final Views views;
    private final PartRows parts;

    SearchController(Views views, PartRows parts) {
        this.views = views;
        this.parts = parts;
    }

    /**
     * A matching message part.
     *
     * @param session Key of the session.
     * @param title Title of the session.
     * @param snippet The text around the first match.
     * @param highlights Matches in the snippet, as pairs of begin and end index.
     * @param rank Relevance; higher is better.
     */
    @Serdeable
    @Schema(name = "Hit")
    record Hit(
            String session,
            String title,
            @Nullable UUID turn,
            UUID message,
            UUID part,
            String role,
            String kind,
            String snippet,
            List<List<Integer>> highlights,
            double rank,
            Instant createdAt) {}

    /**
     * Search messages. All words must match; "a phrase" matches in this order, begin* matches prefixes. Case and
     * accents are ignored. tools=true also searches tool calls and results.
     *
     * @return A page of hits, best first.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/search", "/v1/projects/{project}/search"})
    Page<Hit> search(
            @Nullable @PathVariable String project,
            @QueryValue String q,
            @Nullable @QueryValue Boolean tools,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        var query = SearchQuery.parse(q);
        if (query.terms().isEmpty()) {
            throw ApiException.badRequest("empty_query", "q has no words to search for");
        }
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        long offset = after == null ? 0 : Math.clamp(after.firstNumber(), 0, MAX_OFFSET);
        var projectId = caller.projectId(project);
        List<Found> found = views.list(
                caller.tenant(project),
                () -> parts.search(
                        caller.host(),
                        projectId,
                        query.toTsQuery(),
                        Boolean.TRUE.equals(tools),
                        caller.readsAll(project) ? null : caller.user(),
                        max + 1,
                        offset));
        var page = Page.of(found, max, part -> hit(part, query), part -> Cursor.of(offset + max, ""));
        return offset + max > MAX_OFFSET ? new Page<>(page.data(), null) : page;
    }

    private static Hit hit(Found part, SearchQuery query) {
        var snippet = query.snippet(part.said());
        return new Hit(
                part.sessionKey(),
                part.title(),
                part.turnId(),
                part.messageId(),
                part.partId(),
                part.role(),
                part.kind(),
                snippet.text(),
                snippet.highlights(),
                part.rank(),
                part.createdTs());
    }
}
