package dev.parley.sessions.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.domain.access.Capability;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Select;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
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

/** Lists tool calls that wait for approval. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.sessions", value = "true")
@Tag(name = "Permissions", description = "Permission rules and approvals of tool calls.")
class ApprovalReadController {
    private static final String OPEN = """
            SELECT c.approval_id, s.session_key, c.turn_id, c.call_id, c.tool_name, p.content->>'arguments' AS arguments, c.subject,
                   c.approval_reason, c.rule_id, c.created_ts, c.approval_until_ts
            FROM sessions.tool_call_t c
            JOIN sessions.agent_session_t s ON s.host_id = c.host_id AND s.session_id = c.session_id AND s.status <> 'deleted'
            JOIN sessions.agent_message_part_t p ON p.host_id = c.host_id AND p.project_id = c.project_id
              AND p.session_id = c.session_id AND p.part_id = c.part_id
            WHERE c.host_id = ? AND c.project_id = ? AND c.approval = 'asked'
            """;

    private final Views views;

    ApprovalReadController(Views views) {
        this.views = views;
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "Approval", description = "A tool call that waits for approval.")
    record Approval(
            UUID id,

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
            Instant expiresAt) {
        static Approval of(ResultSet row) throws SQLException {
            return new Approval(
                    Columns.uuid(row, "approval_id"),
                    row.getString("session_key"),
                    Columns.uuid(row, "turn_id"),
                    Columns.uuid(row, "call_id"),
                    row.getString("tool_name"),
                    row.getString("arguments"),
                    row.getString("subject"),
                    row.getString("approval_reason"),
                    Columns.uuidOrNull(row, "rule_id"),
                    Columns.time(row, "created_ts"),
                    Columns.time(row, "approval_until_ts"));
        }
    }

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
            @Parameter(hidden = true) Caller caller) {
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        var select = new Select(
                        OPEN, caller.host(), caller.session(project, "any").projectId())
                .withIf(session, "AND s.session_key = ?")
                .withIf(caller.readsAll(project) ? null : caller.user(), "AND s.user_id = ?");
        if (after != null) {
            select.with("AND (c.created_ts, c.call_id) > (?, ?)", after.time(), after.id());
        }
        select.with("ORDER BY c.created_ts, c.call_id LIMIT ?", max + 1);
        List<Approval> rows = views.read(caller.tenant(project), reading -> reading.list(select, Approval::of));
        return Page.of(rows, max, row -> row, row -> Cursor.of(row.askedAt(), row.call()));
    }
}
