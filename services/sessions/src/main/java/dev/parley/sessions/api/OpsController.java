package dev.parley.sessions.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.domain.access.Capability;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Select;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
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

/** Figures and tool call lists for operators. */
@Controller("/v1/ops")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.sessions", value = "true")
@Tag(name = "Operations", description = "Figures for operators.")
class OpsController {
    private static final String CALLS = """
            , s.session_key, m.turn_id, p.message_id, p.part_id, p.tool_status, c.attempt, p.created_ts, p.update_ts
            FROM sessions.agent_message_part_t p
            JOIN sessions.agent_message_t m ON m.host_id = p.host_id AND m.message_id = p.message_id
            JOIN sessions.agent_session_t s ON s.host_id = p.host_id AND s.session_id = p.session_id
            LEFT JOIN sessions.tool_call_t c ON c.host_id = p.host_id AND c.project_id = p.project_id
              AND c.session_id = p.session_id AND c.part_id = p.part_id
            WHERE p.kind = 'tool' AND p.host_id = ? AND p.project_id = ? AND p.tool_name = ? AND s.status <> 'deleted'
            """;

    private final Views views;
    private final Overviews overviews;

    OpsController(Views views, Overviews overviews) {
        this.views = views;
        this.overviews = overviews;
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "ToolUse", description = "A tool call.")
    record ToolUse(
            String session,
            @Nullable UUID turn,
            UUID message,
            UUID part,

            @Schema(description = "Status of the call: pending, running, completed or error.")
            String status,

            @Nullable String arguments,
            @Nullable String result,

            @Schema(description = "Number of attempts; null if the provider executed the call.") @Nullable
            Integer attempt,

            Instant createdAt,
            Instant updatedAt) {
        static ToolUse of(ResultSet row) throws SQLException {
            return new ToolUse(
                    row.getString("session_key"),
                    Columns.uuidOrNull(row, "turn_id"),
                    Columns.uuid(row, "message_id"),
                    Columns.uuid(row, "part_id"),
                    row.getString("tool_status"),
                    row.getString("arguments"),
                    row.getString("result"),
                    row.getObject("attempt", Integer.class),
                    Columns.time(row, "created_ts"),
                    Columns.time(row, "update_ts"));
        }
    }

    @Authenticated
    @Get("/tools/{name}/calls")
    @Operation(
            summary = "List tool calls",
            description =
                    "Tool calls, newest first. data=false omits arguments and results, which are in the messages.")
    @ApiResponse(responseCode = "200", description = "A page of tool calls.")
    Page<ToolUse> calls(
            @PathVariable String name,
            @Nullable @QueryValue String project,
            @Nullable @QueryValue Boolean data,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        var projectId = caller.require(Capability.OPS_READ, project).project();
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        String content = Boolean.FALSE.equals(data)
                ? "NULL AS arguments, NULL AS result"
                : "p.content->>'arguments' AS arguments, p.content->>'result' AS result";
        var select = new Select("SELECT " + content + CALLS, caller.host(), projectId, name);
        if (after != null) {
            select.with("AND (p.created_ts, p.part_id) < (?, ?)", after.time(), after.id());
        }
        select.with("ORDER BY p.created_ts DESC, p.part_id DESC LIMIT ?", max + 1);
        List<ToolUse> uses = views.read(caller.tenant(project), reading -> reading.list(select, ToolUse::of));
        return Page.of(uses, max, use -> use, use -> Cursor.of(use.createdAt(), use.part()));
    }

    @Authenticated
    @Get("/overview")
    @Operation(
            summary = "Get the current activity",
            description = "The last 24 hours of a project, and what is running now.")
    @ApiResponse(responseCode = "200", description = "The figures.")
    OverviewJson overview(@Nullable @QueryValue String project, @Parameter(hidden = true) Caller caller) {
        return overviews.of(caller, caller.require(Capability.OPS_READ, project));
    }
}
