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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lists and shows turns, and the queue of a session. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "History")
class TurnReadController {
    private static final int MAX_OPINIONS = 200;

    private final Views views;
    private final Sessions sessions;
    private final TurnRows rows;
    private final FeedbackRows feedback;

    TurnReadController(Views views, Sessions sessions, TurnRows rows, FeedbackRows feedback) {
        this.views = views;
        this.sessions = sessions;
        this.rows = rows;
        this.feedback = feedback;
    }

    /**
     * A queued turn.
     *
     * @param position Number of turns before it, including the active one.
     */
    @Serdeable
    @Schema(name = "QueuedTurn")
    record Queued(int position, TurnJson turn) {}

    /**
     * A turn in a list over all sessions.
     *
     * @param agent Name of the agent that answers.
     * @param user Id of the user, or null.
     * @param origin Origin of the turn: channel, api, workflow, schedule or delegate.
     * @param feedback Number of opinions about it.
     */
    @Serdeable
    @Schema(name = "ListedTurn")
    record Listed(String agent, @Nullable String user, String origin, TurnRow.FeedbackCounts feedback, TurnJson turn) {
        static Listed of(TurnRow row) {
            return new Listed(row.agent(), row.userId(), row.origin(), row.feedback(), row.json());
        }
    }

    /**
     * A page of turns.
     *
     * @param data The turns.
     * @param next Cursor of the next page; null on the last page.
     * @param total Number of turns on all pages; absent unless requested.
     */
    @Serdeable
    @Schema(name = "TurnPage")
    record Turns(
            List<Listed> data,
            @Nullable String next,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Long total) {}

    /**
     * List turns. Turns of all sessions that the caller may read, including delegates, newest first. data=false
     * shortens messages to 200 characters and omits replies.
     *
     * @param state Only turns in these states, such as FAILED,CANCELLED; open selects all that have not ended.
     * @param agent Only turns of this agent.
     * @param session Only turns of this session, in all epochs.
     * @param mine true: only turns of the caller.
     * @param feedback Only turns of which somebody has this opinion: good, bad or other.
     * @param since Only turns accepted or ended at this time or later.
     * @param total true: counts all turns, which takes longer.
     * @param fresh true: waits until the tables show all earlier events, at most two seconds.
     * @return A page of turns.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/turns", "/v1/projects/{project}/turns"})
    Turns list(
            @Nullable @PathVariable String project,
            @Nullable @QueryValue String state,
            @Nullable @QueryValue String agent,
            @Nullable @QueryValue String session,
            @Nullable @QueryValue Boolean mine,
            @Nullable @QueryValue Instant since,
            @Nullable @QueryValue String feedback,
            @Nullable @QueryValue Boolean total,
            @Nullable @QueryValue Boolean fresh,
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
        String opinion = FeedbackFilter.parse(feedback);
        boolean texts = !Boolean.FALSE.equals(data);
        Instant time = Cursor.timeOf(after);
        UUID last = Cursor.idOf(after);
        UUID host = caller.host();
        views.freshen(fresh);
        return views.list(caller.tenant(project), () -> {
            List<TurnRow> found = rows.page(
                    host, projectId, open, states, agent, session, owner, since, opinion, texts, time, last, max + 1);
            Page<Listed> page = Page.of(found, max, Listed::of, row -> Cursor.of(row.createdTs(), row.turnId()));
            Long turns = Boolean.TRUE.equals(total)
                    ? rows.count(host, projectId, open, states, agent, session, owner, since, opinion)
                    : null;
            return new Turns(page.data(), page.next(), turns);
        });
    }

    /**
     * List a session's turns. In chronological order, or reversed with order=desc.
     *
     * @param fresh true: waits until the tables show all earlier events, at most two seconds.
     * @return A page of turns.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/turns", "/v1/projects/{project}/sessions/{key}/turns"})
    Page<TurnJson> list(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @Nullable @QueryValue String order,
            @Nullable @QueryValue Boolean fresh,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        views.freshen(fresh);
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

    /**
     * Get a turn. A turn of any epoch of the session's key.
     *
     * @return The turn.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/turns/{id}", "/v1/projects/{project}/sessions/{key}/turns/{id}"})
    TurnJson show(
            @Nullable @PathVariable String project, @PathVariable String key, @PathVariable UUID id, Caller caller) {
        return find(caller, project, caller.session(project, key).projectId(), key, id);
    }

    /**
     * Get a turn by its id. A turn of any session of the project.
     *
     * @return The turn.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/turns/{id}", "/v1/projects/{project}/turns/{id}"})
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

    /**
     * List opinions about a turn. What people think of a turn of any epoch of the session's key, newest first; opinions
     * that were taken back are left out.
     *
     * @param fresh true: waits until the tables show all earlier events, at most two seconds.
     * @return At most 200 opinions.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/turns/{id}/feedback", "/v1/projects/{project}/sessions/{key}/turns/{id}/feedback"})
    Page<FeedbackJson> feedback(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @PathVariable UUID id,
            @Nullable @QueryValue Boolean fresh,
            Caller caller) {
        views.freshen(fresh);
        TurnJson turn = find(caller, project, caller.session(project, key).projectId(), key, id);
        return new Page<>(
                views.read(caller.tenant(project), () -> feedback.ofTurn(caller.host(), turn.id(), MAX_OPINIONS)),
                null);
    }

    /**
     * List queued turns. Queued turns, in order of execution.
     *
     * @return The queued turns.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/queue", "/v1/projects/{project}/sessions/{key}/queue"})
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
