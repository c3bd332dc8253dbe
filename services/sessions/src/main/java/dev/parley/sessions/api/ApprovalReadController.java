package dev.parley.sessions.api;

import dev.parley.domain.access.Capability;
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
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lists tool calls that wait for approval. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Permissions", description = "Permission rules and approvals of tool calls.")
class ApprovalReadController {
    private final Views views;
    private final ApprovalRows rows;

    ApprovalReadController(Views views, ApprovalRows rows) {
        this.views = views;
        this.rows = rows;
    }

    /**
     * A tool call that waits for approval.
     *
     * @param session Key of the session that asks.
     * @param subject Values of the call that permission rules matched, one per line; null for none.
     * @param reason An additional reason, or null.
     * @param rule Id of the rule that requires approval; null if no rule matched.
     * @param expiresAt Deadline; without an answer until then the call is denied.
     */
    @Serdeable
    @MappedEntity(value = "tool_call_t", schema = "sessions")
    @Schema(name = "Approval")
    record Approval(
            @Id UUID id,
            String session,
            UUID turn,
            UUID call,
            String tool,
            @Nullable String arguments,
            @Nullable String subject,
            @Nullable String reason,
            @Nullable UUID rule,
            Instant askedAt,
            Instant expiresAt) {}

    /**
     * List pending approvals. Tool calls that wait for approval, oldest first, in sessions that the caller may read.
     *
     * @param session Only approvals of this session.
     * @return A page of pending approvals.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/approvals", "/v1/projects/{project}/approvals"})
    Page<Approval> list(
            @Nullable @PathVariable String project,
            @Nullable @QueryValue String session,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        UUID projectId = caller.projectId(project);
        List<Approval> approvals = views.list(
                caller.tenant(project),
                () -> rows.page(
                        caller.host(),
                        projectId,
                        session,
                        caller.readsAll(project) ? null : caller.user(),
                        Cursor.timeOf(after),
                        Cursor.idOf(after),
                        max + 1));
        return Page.of(approvals, max, row -> row, row -> Cursor.of(row.askedAt(), row.call()));
    }
}
