package dev.parley.sessions.api;

import dev.parley.domain.access.Capability;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
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
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lists conversations that wait for an operator, or have one. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Sessions", description = "Conversations with agents.")
class HandoffReadController {
    private static final Set<String> OPEN = Set.of("asked", "taken");

    private final Views views;
    private final HandoffRows rows;

    HandoffReadController(Views views, HandoffRows rows) {
        this.views = views;
        this.rows = rows;
    }

    /**
     * A conversation that waits for an operator, or has one.
     *
     * @param session Key of the session.
     * @param title Title of the session.
     * @param status Status of the handoff: asked or taken.
     * @param askedBy The person for whom an operator is asked, or null.
     * @param reason Why an operator is asked for; empty if unknown.
     * @param operator The user who answers, or null.
     * @param name Name of the operator in the conversation; empty without one.
     * @param takenAt When the operator took it, or null.
     * @param waiting Number of messages that wait.
     */
    @Serdeable
    @MappedEntity(value = "handoff_t", schema = "sessions")
    @Schema(name = "Handoff")
    record HandoffJson(
            @Id UUID id,
            String session,
            String title,
            String channel,
            String status,
            @Nullable String askedBy,
            String reason,
            @Nullable String operator,
            String name,
            Instant askedAt,
            @Nullable Instant takenAt,
            long waiting) {}

    /**
     * List handoffs. Conversations that wait for an operator or have one, those that wait longest first, in sessions
     * that the caller may read.
     *
     * @param session Only that of this session.
     * @param status Only those that are asked or taken.
     * @return A page of handoffs.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/handoffs", "/v1/projects/{project}/handoffs"})
    Page<HandoffJson> list(
            @Nullable @PathVariable String project,
            @Nullable @QueryValue String session,
            @Nullable @QueryValue String status,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        if (status != null && !OPEN.contains(status)) {
            throw ApiException.badRequest("invalid_status", "'status' is asked or taken");
        }
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        UUID projectId = caller.projectId(project);
        List<HandoffJson> handoffs = views.list(
                caller.tenant(project),
                () -> rows.page(
                        caller.host(),
                        projectId,
                        status,
                        session,
                        caller.readsAll(project) ? null : caller.user(),
                        Cursor.timeOf(after),
                        Cursor.idOf(after),
                        max + 1));
        return Page.of(handoffs, max, row -> row, row -> Cursor.of(row.askedAt(), row.id()));
    }
}
