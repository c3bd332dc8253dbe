package dev.parley.channels.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.CallerCallJson;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.platform.http.TurnJson;
import dev.parley.platform.http.WaitParameter;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes of calls of the caller's own tools: pending calls and their results. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.channels", value = "true")
@Tag(name = "Turns")
class CallController {
    private final TurnService turns;

    CallController(TurnService turns) {
        this.turns = turns;
    }

    /**
     * The result of a call, for the model.
     *
     * @param content Result of the call, at most 65,536 characters.
     * @param failed True if the result is an error. Defaults to false.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "CallResult")
    record Result(@Nullable String content, @Nullable Boolean failed) {}

    /**
     * List a turn's pending calls of the caller's tools. The pending calls of tools that came with the active turn, in
     * order and on one page. They are read from the turn machine itself, on any instance.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/calls", "/v1/projects/{project}/sessions/{key}/calls"})
    Page<CallerCallJson> list(@Nullable @PathVariable String project, @PathVariable String key, Caller caller) {
        return new Page<>(CallerCallJson.of(turns.awaitedCalls(caller, caller.session(project, key))), null);
    }

    /**
     * Submit the result of a call. The first result counts; submitting the same one again changes nothing. The turn
     * continues when all calls of its step have results; with wait, the response is that turn, as for the request that
     * submitted it.
     *
     * @param call Id of the call.
     * @param wait Maximum time to wait for the end of the turn, such as 30s; at most 10m.
     */
    @RequiresCapability(Capability.SESSION_SEND)
    @MaxBody(BodySize.DEFINITION)
    @Post(
            uris = {
                "/v1/sessions/{key}/calls/{call}/result",
                "/v1/projects/{project}/sessions/{key}/calls/{call}/result"
            })
    @ApiResponse(
            responseCode = "202",
            description = "The result was accepted; with wait, the turn waits for the caller or is running.")
    @ApiResponse(responseCode = "200", description = "The turn has ended, for requests with wait.")
    @ApiResponse(
            responseCode = "404",
            description = "The call is unknown, or no longer waits for a result of this caller.")
    HttpResponse<TurnJson> give(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @PathVariable UUID call,
            @Nullable @QueryValue String wait,
            @Body Result result,
            Caller caller)
            throws InterruptedException {
        Optional<Duration> timeout = WaitParameter.parse(wait);
        if (result.content() == null) {
            throw ApiException.badRequest("missing_field", "The field 'content' is missing");
        }
        RecordKey session = caller.session(project, key);
        Optional<UUID> turn =
                turns.answer(caller, session, call, result.content(), Boolean.TRUE.equals(result.failed()));
        if (timeout.isEmpty() || turn.isEmpty()) {
            return HttpResponse.accepted();
        }
        try (FollowedTurn followed = turns.followFromNow(caller, session, turn.get())) {
            return followed.response(timeout.get());
        }
    }
}
