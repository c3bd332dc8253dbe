package dev.parley.sessions.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.domain.access.Capability;
import dev.parley.platform.database.Select;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.platform.http.TurnJson;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lists and shows turns, and the queue of a session. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.sessions", value = "true")
@Tag(name = "History")
class TurnReadController {
    private static final String FROM = """
            FROM sessions.agent_turn_t t
            JOIN sessions.agent_session_t s ON s.host_id = t.host_id AND s.session_id = t.session_id
            """;

    private final Views views;
    private final Sessions sessions;

    TurnReadController(Views views, Sessions sessions) {
        this.views = views;
        this.sessions = sessions;
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "QueuedTurn", description = "A queued turn.")
    record Queued(
            @Schema(description = "Number of turns before it, including the active one.")
            int position,

            TurnJson turn) {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "ListedTurn", description = "A turn in a list over all sessions.")
    record Listed(
            @Schema(description = "Name of the agent that answers.")
            String agent,

            @Schema(description = "Id of the user, or null.") @Nullable
            String user,

            @Schema(description = "Origin of the turn: channel, api, workflow, schedule or delegate.")
            String origin,

            TurnJson turn) {
        static Listed of(ResultSet row) throws SQLException {
            return new Listed(
                    row.getString("agent"), row.getString("user_id"), row.getString("origin"), TurnRowJson.of(row));
        }
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "TurnPage", description = "A page of turns.")
    record Turns(
            @Schema(description = "The turns.") List<Listed> data,

            @Schema(description = "Cursor of the next page; null on the last page.") @Nullable
            String next,

            @Schema(description = "Number of turns on all pages; absent unless requested.")
            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Nullable
            Long total) {}

    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/turns", "/v1/projects/{project}/turns"})
    @Operation(
            summary = "List turns",
            description = "Turns of all sessions that the caller may read, including delegates, newest first. "
                    + "data=false shortens messages to 200 characters and omits replies.")
    @ApiResponse(responseCode = "200", description = "A page of turns.")
    Turns list(
            @Nullable @PathVariable String project,
            @Parameter(
                            description =
                                    "Only turns in these states, such as FAILED,CANCELLED; open selects all that have "
                                            + "not ended.")
                    @Nullable
                    @QueryValue
                    String state,
            @Parameter(description = "Only turns of this agent.") @Nullable @QueryValue String agent,
            @Parameter(description = "Only turns of this session, in all epochs.") @Nullable @QueryValue String session,
            @Parameter(description = "true: only turns of the caller.") @Nullable @QueryValue Boolean mine,
            @Parameter(description = "Only turns accepted or ended at this time or later.") @Nullable @QueryValue
                    Instant since,
            @Parameter(description = "true: counts all turns, which takes longer.") @Nullable @QueryValue Boolean total,
            @Parameter(description = "true: waits until the tables show all earlier events, at most two seconds.")
                    @Nullable
                    @QueryValue
                    Boolean fresh,
            @Nullable @QueryValue Boolean data,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        UUID projectId = caller.session(project, "any").projectId();
        boolean ownOnly = Boolean.TRUE.equals(mine) || !caller.readsAll(project);
        var filter = new TurnFilter(TurnStates.parse(state), agent, session, ownOnly ? caller.user() : null, since);
        Select condition = filter.condition(caller.host(), projectId);
        Select page = page(condition, !Boolean.FALSE.equals(data), after, max);
        Select count = new Select("SELECT count(*) " + FROM)
                .with(condition.sql(), condition.values().toArray());
        views.freshen(fresh);
        return views.read(caller.tenant(project), reading -> {
            Page<Listed> rows = Page.of(reading.list(page, Listed::of), max, row -> row, TurnReadController::cursor);
            Long turnCount = Boolean.TRUE.equals(total)
                    ? reading.first(count, row -> row.getLong(1)).orElse(0L)
                    : null;
            return new Turns(rows.data(), rows.next(), turnCount);
        });
    }

    /** One row more than {@code max} shows whether another page follows. */
    private static Select page(Select condition, boolean withTexts, @Nullable Cursor after, int max) {
        String columns = withTexts ? TurnRowJson.COLUMNS : TurnRowJson.SHORT_COLUMNS;
        var page = new Select("SELECT t.agent, t.user_id, t.origin, " + columns + FROM)
                .with(condition.sql(), condition.values().toArray());
        if (after != null) {
            page.with("AND (t.created_ts, t.turn_id) < (?, ?)", after.time(), after.id());
        }
        return page.with("ORDER BY t.created_ts DESC, t.turn_id DESC LIMIT ?", max + 1);
    }

    private static String cursor(Listed row) {
        return Cursor.of(
                Objects.requireNonNull(row.turn().createdAt()), row.turn().id());
    }

    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/turns", "/v1/projects/{project}/sessions/{key}/turns"})
    @Operation(summary = "List a session's turns", description = "In chronological order, or reversed with order=desc.")
    @ApiResponse(responseCode = "200", description = "A page of turns.")
    Page<TurnJson> list(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @Nullable @QueryValue String order,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        SessionJson session = sessions.find(caller, project, key);
        boolean descending = MessageReadController.isDescending(order);
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        var select = new Select("SELECT " + TurnRowJson.COLUMNS + FROM)
                .with("WHERE t.host_id = ? AND t.session_id = ?", caller.host(), session.id())
                .withIf(after == null ? null : after.firstNumber(), "AND t.turn_seq " + (descending ? "<" : ">") + " ?")
                .with("ORDER BY t.turn_seq " + (descending ? "DESC" : "ASC") + " LIMIT ?", max + 1);
        List<TurnJson> rows = views.read(caller.tenant(project), reading -> reading.list(select, TurnRowJson::of));
        return Page.of(rows, max, row -> row, row -> Cursor.of(String.valueOf(row.seq()), ""));
    }

    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/turns/{id}", "/v1/projects/{project}/sessions/{key}/turns/{id}"})
    @Operation(summary = "Get a turn", description = "A turn of any epoch of the session's key.")
    @ApiResponse(responseCode = "200", description = "The turn.")
    TurnJson show(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @PathVariable UUID id,
            @Parameter(hidden = true) Caller caller) {
        var record = caller.session(project, key);
        return find(
                caller.tenant(project),
                new Select("SELECT " + TurnRowJson.COLUMNS + FROM)
                        .with(
                                "WHERE t.host_id = ? AND t.turn_id = ? AND t.project_id = ?",
                                caller.host(),
                                id,
                                record.projectId())
                        .with("AND s.session_key = ? AND s.status <> 'deleted'", key)
                        .withIf(caller.readsAll(project) ? null : caller.user(), "AND s.user_id = ?"),
                id);
    }

    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/turns/{id}", "/v1/projects/{project}/turns/{id}"})
    @Operation(summary = "Get a turn by its id", description = "A turn of any session of the project.")
    @ApiResponse(responseCode = "200", description = "The turn.")
    TurnJson show(
            @Nullable @PathVariable String project, @PathVariable UUID id, @Parameter(hidden = true) Caller caller) {
        var select = new Select("SELECT " + TurnRowJson.COLUMNS + FROM)
                .with("WHERE t.host_id = ? AND t.turn_id = ? AND s.status <> 'deleted'", caller.host(), id);
        if (project == null && caller.person().admin() && caller.key().project() == null) {
            return find(caller.tenant(), select, id);
        }
        select.with("AND t.project_id = ?", caller.session(project, "any").projectId());
        select.withIf(caller.readsAll(project) ? null : caller.user(), "AND s.user_id = ?");
        return find(caller.tenant(project), select, id);
    }

    private TurnJson find(Tenant tenant, Select select, UUID id) {
        return views.eventually(() -> views.read(tenant, reading -> reading.first(select, TurnRowJson::of)))
                .orElseThrow(() -> ApiException.notFound("unknown_turn", "There is no turn " + id));
    }

    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/queue", "/v1/projects/{project}/sessions/{key}/queue"})
    @Operation(summary = "List queued turns", description = "Queued turns, in order of execution.")
    @ApiResponse(responseCode = "200", description = "The queued turns.")
    Page<Queued> queue(
            @Nullable @PathVariable String project, @PathVariable String key, @Parameter(hidden = true) Caller caller) {
        SessionJson session = sessions.find(caller, project, key);
        var select = new Select("SELECT " + TurnRowJson.COLUMNS + FROM)
                .with("WHERE t.host_id = ? AND t.session_id = ? AND t.state = 'QUEUED'", caller.host(), session.id())
                .with("ORDER BY (t.mode = 'interrupt') DESC, t.turn_seq LIMIT ?", Cursor.MAX);
        List<TurnJson> waiting = views.read(caller.tenant(project), reading -> reading.list(select, TurnRowJson::of));
        int ahead = session.activeTurn() == null ? 0 : 1;
        var queue = new ArrayList<Queued>();
        waiting.forEach(turn -> queue.add(new Queued(queue.size() + ahead, turn)));
        return new Page<>(queue, null);
    }
}
