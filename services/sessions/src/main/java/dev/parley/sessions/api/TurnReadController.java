package dev.parley.sessions.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.domain.access.Capability;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lists and shows turns, and the queue of a session. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.sessions", value = "true")
@Tag(name = "History")
class TurnReadController {
    private final Views views;
    private final Sessions sessions;
    private final TurnRows rows;

    TurnReadController(Views views, Sessions sessions, TurnRows rows) {
        this.views = views;
        this.sessions = sessions;
        this.rows = rows;
    }

    @Serdeable
    @Schema(name = "QueuedTurn", description = "A queued turn.")
    record Queued(
            @Schema(description = "Number of turns before it, including the active one.")
            int position,

            TurnJson turn) {}

    @Serdeable
    @Schema(name = "ListedTurn", description = "A turn in a list over all sessions.")
    record Listed(
            @Schema(description = "Name of the agent that answers.")
            String agent,

            @Schema(description = "Id of the user, or null.") @Nullable
            String user,

            @Schema(description = "Origin of the turn: channel, api, workflow, schedule or delegate.")
            String origin,

            TurnJson turn) {
        static Listed of(TurnRow row) {
            return new Listed(row.agent(), row.userId(), row.origin(), row.json());
        }
    }

    @Serdeable
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
            Caller caller) {
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        UUID projectId = caller.projectId(project);
        String owner = Boolean.TRUE.equals(mine) || !caller.readsAll(project) ? caller.user() : null;
        List<String> states = TurnStates.parse(state);
        boolean open = states.equals(TurnStates.OPEN);
        boolean texts = !Boolean.FALSE.equals(data);
        Instant time = Cursor.timeOf(after);
        UUID last = Cursor.idOf(after);
        UUID host = caller.host();
        views.freshen(fresh);
        return views.list(caller.tenant(project), () -> {
            List<TurnRow> found =
                    rows.page(host, projectId, open, states, agent, session, owner, since, texts, time, last, max + 1);
            Page<Listed> page = Page.of(found, max, Listed::of, row -> Cursor.of(row.createdTs(), row.turnId()));
            Long turns = Boolean.TRUE.equals(total)
                    ? rows.count(host, projectId, open, states, agent, session, owner, since)
                    : null;
            return new Turns(page.data(), page.next(), turns);
        });
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
            Caller caller) {
        SessionJson session = sessions.find(caller, project, key);
        boolean descending = MessageReadController.isDescending(order);
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        long seq = after != null ? after.firstNumber() : descending ? Long.MAX_VALUE : 0;
        List<TurnRow> turns = views.read(
                caller.tenant(project),
                () -> descending
                        ? rows.before(caller.host(), session.id(), seq, max + 1)
                        : rows.after(caller.host(), session.id(), seq, max + 1));
        return Page.of(turns, max, TurnRow::json, row -> Cursor.of(String.valueOf(row.turnSeq()), ""));
    }

    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/turns/{id}", "/v1/projects/{project}/sessions/{key}/turns/{id}"})
    @Operation(summary = "Get a turn", description = "A turn of any epoch of the session's key.")
    @ApiResponse(responseCode = "200", description = "The turn.")
    TurnJson show(
            @Nullable @PathVariable String project, @PathVariable String key, @PathVariable UUID id, Caller caller) {
        return find(caller, project, caller.session(project, key).projectId(), key, id);
    }

    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/turns/{id}", "/v1/projects/{project}/turns/{id}"})
    @Operation(summary = "Get a turn by its id", description = "A turn of any session of the project.")
    @ApiResponse(responseCode = "200", description = "The turn.")
    TurnJson show(@Nullable @PathVariable String project, @PathVariable UUID id, Caller caller) {
        if (project == null && caller.person().admin() && caller.key().project() == null) {
            return find(caller.tenant(), () -> rows.find(caller.host(), id, null, null, null), id);
        }
        return find(caller, project, caller.projectId(project), null, id);
    }

    private TurnJson find(Caller caller, @Nullable String project, UUID projectId, @Nullable String key, UUID id) {
        String owner = caller.readsAll(project) ? null : caller.user();
        return find(caller.tenant(project), () -> rows.find(caller.host(), id, projectId, key, owner), id);
    }

    private TurnJson find(Tenant tenant, Supplier<Optional<TurnRow>> turn, UUID id) {
        return views.eventually(() -> views.read(tenant, turn))
                .map(TurnRow::json)
                .orElseThrow(() -> ApiException.notFound("unknown_turn", "There is no turn " + id));
    }

    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/queue", "/v1/projects/{project}/sessions/{key}/queue"})
    @Operation(summary = "List queued turns", description = "Queued turns, in order of execution.")
    @ApiResponse(responseCode = "200", description = "The queued turns.")
    Page<Queued> queue(@Nullable @PathVariable String project, @PathVariable String key, Caller caller) {
        SessionJson session = sessions.find(caller, project, key);
        List<TurnRow> waiting =
                views.read(caller.tenant(project), () -> rows.queue(caller.host(), session.id(), Cursor.MAX));
        int ahead = session.activeTurn() == null ? 0 : 1;
        var queue = new ArrayList<Queued>();
        waiting.forEach(turn -> queue.add(new Queued(queue.size() + ahead, turn.json())));
        return new Page<>(queue, null);
    }
}
