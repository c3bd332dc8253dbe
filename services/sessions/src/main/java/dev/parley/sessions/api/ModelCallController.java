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
import dev.parley.platform.http.TurnJson.UsageJson;
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

/** Model call attempts of a turn, for project leads. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.sessions", value = "true")
@Tag(name = "History")
class ModelCallController {
    private static final String COLUMNS = """
            SELECT call_id, attempt, purpose, step, provider_id, model_id, finish_reason, error_type, error_detail, payer,
                   tokens_input, tokens_output, tokens_reasoning, tokens_cache_read, tokens_cache_write, cost, completed_ts
            """;
    private static final String FROM = """
             FROM sessions.model_call_t WHERE host_id = ? AND project_id = ? AND session_id = ? AND turn_id = ?
            """;

    private final Views views;
    private final Sessions sessions;

    ModelCallController(Views views, Sessions sessions) {
        this.views = views;
        this.sessions = sessions;
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "ModelCall", description = "An attempt of a model call.")
    record ModelCall(
            UUID call,
            int attempt,

            @Schema(description = "Purpose of the call: reply, summary or transcript.")
            String purpose,

            int step,
            @Nullable String provider,
            @Nullable String model,
            String finish,
            @Nullable String error,

            @Schema(description = "The error detail of the provider, or null.") @Nullable
            String detail,

            @Schema(description = "Payer of the call: agent, user, host or operator.") @Nullable
            String payer,

            UsageJson usage,
            Instant completedAt) {
        static ModelCall of(ResultSet row) throws SQLException {
            return new ModelCall(
                    Columns.uuid(row, "call_id"),
                    row.getInt("attempt"),
                    row.getString("purpose"),
                    row.getInt("step"),
                    row.getString("provider_id"),
                    row.getString("model_id"),
                    row.getString("finish_reason"),
                    row.getString("error_type"),
                    row.getString("error_detail"),
                    row.getString("payer"),
                    TurnRowJson.usage(row, "", "cost"),
                    Columns.time(row, "completed_ts"));
        }
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "ModelResponse", description = "The unchanged response of the provider.")
    record ModelResponse(
            @Schema(description = "Response of the provider; null if there was none or it is not kept.") @Nullable
            String response) {}

    @RequiresCapability(Capability.SESSION_READ_ALL)
    @Get(
            uris = {
                "/v1/sessions/{key}/turns/{id}/model-calls",
                "/v1/projects/{project}/sessions/{key}/turns/{id}/model-calls"
            })
    @Operation(summary = "List a turn's model calls", description = "All attempts, in order.")
    @ApiResponse(responseCode = "200", description = "A page of attempts.")
    Page<ModelCall> list(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @PathVariable UUID id,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        Select select = of(caller, project, key, id, COLUMNS);
        if (after != null) {
            select.with("AND (completed_ts, call_id) > (?, ?)", after.time(), after.id());
        }
        select.with("ORDER BY completed_ts, call_id LIMIT ?", max + 1);
        List<ModelCall> rows = views.read(caller.tenant(project), reading -> reading.list(select, ModelCall::of));
        return Page.of(rows, max, row -> row, row -> Cursor.of(row.completedAt(), row.call()));
    }

    @RequiresCapability(Capability.SESSION_READ_ALL)
    @Get(
            uris = {
                "/v1/sessions/{key}/turns/{id}/model-calls/{call}/{attempt}",
                "/v1/projects/{project}/sessions/{key}/turns/{id}/model-calls/{call}/{attempt}"
            })
    @Operation(summary = "Get a provider's raw response", description = "The unchanged response of one attempt.")
    @ApiResponse(responseCode = "200", description = "The response.")
    ModelResponse show(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @PathVariable UUID id,
            @PathVariable UUID call,
            @PathVariable int attempt,
            @Parameter(hidden = true) Caller caller) {
        Select select = of(caller, project, key, id, "SELECT response_raw")
                .with("AND call_id = ? AND attempt = ?", call, attempt);
        return views.read(
                        caller.tenant(project),
                        reading -> reading.first(select, row -> new ModelResponse(row.getString("response_raw"))))
                .orElseThrow(
                        () -> ApiException.notFound("unknown_call", "There is no attempt " + attempt + " of " + call));
    }

    private Select of(Caller caller, @Nullable String project, String key, UUID turn, String columns) {
        SessionJson session = sessions.find(caller, project, key);
        UUID projectId = caller.session(project, key).projectId();
        return new Select(columns + FROM, caller.host(), projectId, session.id(), turn);
    }
}
