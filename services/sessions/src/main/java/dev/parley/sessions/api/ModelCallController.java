package dev.parley.sessions.api;

import dev.parley.domain.access.Capability;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.platform.http.TurnJson.UsageJson;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
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

/** Model call attempts of a turn, for project leads. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "History")
class ModelCallController {
    private final Views views;
    private final Sessions sessions;
    private final ModelCallRows rows;

    ModelCallController(Views views, Sessions sessions, ModelCallRows rows) {
        this.views = views;
        this.sessions = sessions;
        this.rows = rows;
    }

    /**
     * An attempt of a model call.
     *
     * @param purpose Purpose of the call: reply, summary or transcript.
     * @param detail The error detail of the provider, or null.
     * @param payer Payer of the call: agent, user, host or operator.
     */
    @Serdeable
    @MappedEntity(value = "model_call_t", schema = "sessions")
    @Schema(name = "ModelCall")
    record ModelCall(
            @Id UUID call,
            int attempt,
            String purpose,
            int step,
            @Nullable String provider,
            @Nullable String model,
            String finish,
            @Nullable String error,
            @Nullable String detail,
            @Nullable String payer,
            @TypeDef(type = DataType.JSON) UsageJson usage,
            Instant completedAt) {}

    /**
     * The unchanged response of the provider.
     *
     * @param response Response of the provider; null if there was none or it is not kept.
     */
    @Serdeable
    @Schema(name = "ModelResponse")
    record ModelResponse(@Nullable String response) {}

    /**
     * List a turn's model calls. All attempts, in order.
     *
     * @return A page of attempts.
     */
    @RequiresCapability(Capability.SESSION_READ_ALL)
    @Get(
            uris = {
                "/v1/sessions/{key}/turns/{id}/model-calls",
                "/v1/projects/{project}/sessions/{key}/turns/{id}/model-calls"
            })
    Page<ModelCall> list(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @PathVariable UUID id,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        int max = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        UUID session = sessions.find(caller, project, key).id();
        UUID projectId = caller.session(project, key).projectId();
        List<ModelCall> calls = views.list(
                caller.tenant(project),
                () -> rows.page(
                        caller.host(), projectId, session, id, Cursor.timeOf(after), Cursor.idOf(after), max + 1));
        return Page.of(calls, max, call -> call, call -> Cursor.of(call.completedAt(), call.call()));
    }

    /**
     * Get a provider's raw response. The unchanged response of one attempt.
     *
     * @return The response.
     */
    @RequiresCapability(Capability.SESSION_READ_ALL)
    @Get(
            uris = {
                "/v1/sessions/{key}/turns/{id}/model-calls/{call}/{attempt}",
                "/v1/projects/{project}/sessions/{key}/turns/{id}/model-calls/{call}/{attempt}"
            })
    ModelResponse show(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @PathVariable UUID id,
            @PathVariable UUID call,
            @PathVariable int attempt,
            Caller caller) {
        UUID session = sessions.find(caller, project, key).id();
        UUID projectId = caller.session(project, key).projectId();
        return views.read(
                        caller.tenant(project),
                        () -> rows.findResponse(caller.host(), projectId, session, id, call, attempt))
                .orElseThrow(
                        () -> ApiException.notFound("unknown_call", "There is no attempt " + attempt + " of " + call));
    }
}
