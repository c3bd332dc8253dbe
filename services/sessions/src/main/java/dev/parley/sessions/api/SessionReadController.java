package dev.parley.sessions.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.parley.domain.Coded;
import dev.parley.domain.Ids;
import dev.parley.domain.access.Capability;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.RuleLevel;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.sessions.api.SessionRows.OwnRule;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lists and shows sessions. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(
        name = "History",
        description = "Read sessions, turns and messages. The data follows the events with a short delay.")
class SessionReadController {
    private static final Set<String> STATUSES = Set.of("active", "archived", "deleted");

    private final Views views;
    private final Sessions sessions;
    private final SessionRows rows;

    SessionReadController(Views views, Sessions sessions, SessionRows rows) {
        this.views = views;
        this.sessions = sessions;
        this.rows = rows;
    }

    /**
     * List sessions. Sessions, newest first. Delegate, archived and deleted sessions are hidden unless requested.
     *
     * @param feedback Only sessions with a turn of which somebody has this opinion: good, bad or other.
     * @return A page of sessions.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions", "/v1/projects/{project}/sessions"})
    Page<SessionJson> list(
            @Nullable @PathVariable String project,
            @Nullable @QueryValue String status,
            @Nullable @QueryValue Boolean includeArchived,
            @Nullable @QueryValue Boolean includeDeleted,
            @Nullable @QueryValue UUID parentId,
            @Nullable @QueryValue String channel,
            @Nullable @QueryValue String feedback,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        var projectId = caller.projectId(project);
        List<String> statuses = statuses(
                caller, project, status, Boolean.TRUE.equals(includeArchived), Boolean.TRUE.equals(includeDeleted));
        String opinion = FeedbackFilter.parse(feedback);
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        List<SessionJson> page = views.list(
                caller.tenant(project),
                () -> rows.page(
                        caller.host(),
                        projectId,
                        statuses,
                        caller.readsAll(project) ? null : caller.user(),
                        parentId,
                        channel,
                        opinion,
                        Cursor.timeOf(after),
                        Cursor.idOf(after),
                        max + 1));
        return Page.of(page, max, row -> row, row -> Cursor.of(row.createdAt(), row.id()));
    }

    private static List<String> statuses(
            Caller caller, @Nullable String project, @Nullable String status, boolean archived, boolean deleted) {
        if (status != null && !STATUSES.contains(status)) {
            throw ApiException.badRequest("invalid_status", "status is active, archived or deleted");
        }
        if ((deleted || "deleted".equals(status)) && !caller.leads(project)) {
            throw new ApiException(HttpStatus.FORBIDDEN, "forbidden", "Only an administrator sees deleted sessions");
        }
        if (status != null) {
            return List.of(status);
        }
        var statuses = new ArrayList<>(List.of("active"));
        if (archived) {
            statuses.add("archived");
        }
        if (deleted) {
            statuses.add("deleted");
        }
        return statuses;
    }

    /**
     * Get a session. The newest session with this key.
     *
     * @return The session.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}", "/v1/projects/{project}/sessions/{key}"})
    SessionJson show(@Nullable @PathVariable String project, @PathVariable String key, Caller caller) {
        return sessions.find(caller, project, key);
    }

    /**
     * A session's own rule for tool calls.
     *
     * @param by The user who set it, or whose turns it allows: one that follows from the answer "always in this
     *     session" is for the turns of one user.
     * @param everybody Whether it was set for everybody in the session, not by an answer.
     */
    @Serdeable
    @Schema(name = "OwnPermission")
    record PermissionJson(
            UUID id,
            String tool,
            String pattern,
            String action,
            @Nullable String by,
            boolean everybody) {
        static PermissionJson of(OwnRule rule) {
            PermissionAction action =
                    Coded.of(PermissionAction.class, rule.action()).orElseThrow();
            UUID id = Ids.parse(rule.id());
            var read = new PermissionRule(
                    id, RuleLevel.SESSION, null, rule.tool(), rule.pattern(), action, false, null, rule.createdBy());
            return new PermissionJson(
                    id, rule.tool(), rule.pattern(), rule.action(), rule.createdBy(), read.isForSession());
        }
    }

    /**
     * List a session's permission rules. The session's own rules, at most 100: those that were set, and those that
     * follow from the answer "always in this session".
     *
     * @return All rules.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/permissions", "/v1/projects/{project}/sessions/{key}/permissions"})
    Page<PermissionJson> permissions(@Nullable @PathVariable String project, @PathVariable String key, Caller caller) {
        SessionJson session = sessions.find(caller, project, key);
        List<OwnRule> rules = views.list(caller.tenant(project), () -> rows.permissions(caller.host(), session.id()));
        return new Page<>(rules.stream().map(PermissionJson::of).toList(), null);
    }

    /**
     * Get a session by its slug. The session with this slug.
     *
     * @return The session.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/by-slug/{slug}", "/v1/projects/{project}/sessions/by-slug/{slug}"})
    SessionJson bySlug(@Nullable @PathVariable String project, @PathVariable String slug, Caller caller) {
        return sessions.bySlug(caller, project, slug);
    }

    /**
     * Get the compact history. The summary, and the last messages of ended turns.
     *
     * @return The conversation.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/history", "/v1/projects/{project}/sessions/{key}/history"})
    @Produces(MediaType.APPLICATION_JSON)
    String history(@Nullable @PathVariable String project, @PathVariable String key, Caller caller) {
        SessionJson session = sessions.find(caller, project, key);
        String messages = views.read(caller.tenant(project), () -> rows.history(caller.host(), session.id()))
                .orElse("[]");
        var json = JsonNodeFactory.instance.objectNode();
        json.put("session", session.key()).put("summary", session.summary()).put("summaryUpTo", session.summaryUpTo());
        json.putRawValue("messages", new RawValue(messages));
        return json.toString();
    }
}
