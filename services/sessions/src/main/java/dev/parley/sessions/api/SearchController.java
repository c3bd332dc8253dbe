package dev.parley.sessions.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.domain.access.Capability;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Select;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.sessions.SearchQuery;
import dev.parley.sessions.history.Reverted;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Full-text search over messages. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.sessions", value = "true")
@Tag(name = "Search", description = "Full-text search over messages.")
class SearchController {
    private static final int MAX_OFFSET = 1_000;

    private static final String SQL = """
            SELECT p.part_id, p.message_id, p.kind, p.created_ts, m.turn_id, m.role, s.session_key, s.title,
                   concat_ws(E'\\n', p.content->>'text', p.content->>'name', p.content->>'arguments', p.content->>'result') AS said,
                   ts_rank(p.search, q) AS rank
            FROM to_tsquery('simple', ?) AS q
            JOIN sessions.agent_message_part_t p ON p.search @@ q
            JOIN sessions.agent_message_t m ON m.host_id = p.host_id AND m.message_id = p.message_id
            JOIN sessions.agent_session_t s ON s.host_id = p.host_id AND s.session_id = p.session_id
            WHERE p.search_text IS NOT NULL AND p.host_id = ? AND p.project_id = ? AND s.status <> 'deleted'
            """ + Reverted.LEFT_OUT;

    private final Views views;

    SearchController(Views views) {
        this.views = views;
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "Hit", description = "A matching message part.")
    record Hit(
            @Schema(description = "Key of the session.") String session,
            @Schema(description = "Title of the session.") String title,
            @Nullable UUID turn,
            UUID message,
            UUID part,
            String role,
            String kind,

            @Schema(description = "The text around the first match.")
            String snippet,

            @Schema(description = "Matches in the snippet, as pairs of begin and end index.")
            List<List<Integer>> highlights,

            @Schema(description = "Relevance; higher is better.")
            double rank,

            Instant createdAt) {}

    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/search", "/v1/projects/{project}/search"})
    @Operation(
            summary = "Search messages",
            description = "All words must match; \"a phrase\" matches in this order, begin* matches prefixes. "
                    + "Case and accents are ignored. tools=true also searches tool calls and results.")
    @ApiResponse(responseCode = "200", description = "A page of hits, best first.")
    Page<Hit> search(
            @Nullable @PathVariable String project,
            @QueryValue String q,
            @Nullable @QueryValue Boolean tools,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        var query = SearchQuery.parse(q);
        if (query.terms().isEmpty()) {
            throw ApiException.badRequest("empty_query", "q has no words to search for");
        }
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        long offset = after == null ? 0 : Math.clamp(after.firstNumber(), 0, MAX_OFFSET);
        var projectId = caller.session(project, "any").projectId();
        var select = new Select(SQL, query.toTsQuery(), caller.host(), projectId)
                .with(Boolean.TRUE.equals(tools) ? "" : "AND p.kind <> 'tool'")
                .with("AND m.role <> 'system'")
                .withIf(caller.readsAll(project) ? null : caller.user(), "AND s.user_id = ?")
                .with("ORDER BY rank DESC, p.created_ts DESC, p.part_id LIMIT ? OFFSET ?", max + 1, offset);
        List<Hit> hits = views.read(caller.tenant(project), reading -> reading.list(select, row -> hit(row, query)));
        var page = Page.of(hits, max, hit -> hit, hit -> Cursor.of(offset + max, ""));
        return offset + max > MAX_OFFSET ? new Page<>(page.data(), null) : page;
    }

    private static Hit hit(ResultSet row, SearchQuery query) throws SQLException {
        var snippet = query.snippet(row.getString("said"));
        return new Hit(
                row.getString("session_key"),
                row.getString("title"),
                Columns.uuidOrNull(row, "turn_id"),
                Columns.uuid(row, "message_id"),
                Columns.uuid(row, "part_id"),
                row.getString("role"),
                row.getString("kind"),
                snippet.text(),
                snippet.highlights(),
                row.getDouble("rank"),
                Columns.time(row, "created_ts"));
    }
}
