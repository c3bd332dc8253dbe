package dev.parley.sessions.api;

import dev.parley.domain.access.Capability;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.context.annotation.Requires;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
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
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lists tool calls that wait for approval. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.sessions", value = "true")
@Tag(name = "Permissions", description = "Permission rules and approvals of tool calls.")
class ApprovalReadController {
    private final Views views;
    private final ApprovalRows rows;

    ApprovalReadController(Views views, ApprovalRows rows) {
        this.views = views;
        this.rows = rows;
    }

    @Serdeable
    @MappedEntity(value = "tool_call_t", schema = "sessions")
    @Schema(name = "Approval", description = "A tool call that waits for approval.")
    record Approval(
            @Id UUID id,

            @Schema(description = "Key of the session that asks.")
            String session,

            UUID turn,
            UUID call,
            String tool,
            @Nullable String arguments,

            @Schema(description = "Values of the call that permission rules matched, one per line; null for none.")
            @Nullable
            String subject,

            @Schema(description = "An additional reason, or null.") @Nullable
            String reason,

            @Schema(description = "Id of the rule that requires approval; null if no rule matched.") @Nullable
            UUID rule,

            Instant askedAt,

            @Schema(description = "Deadline; without an answer until then the call is denied.")
            Instant expiresAt) {}

    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/approvals", "/v1/projects/{project}/approvals"})
    @Operation(
            summary = "List pending approvals",
            description = "Tool calls that wait for approval, oldest first, in sessions that the caller may read.")
    @ApiResponse(responseCode = "200", description = "A page of pending approvals.")
    Page<Approval> list(
            @Nullable @PathVariable String project,
            @Parameter(description = "Only approvals of this session.") @Nullable @QueryValue String session,
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
