package dev.parley.channels.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.domain.access.Capability;
import dev.parley.domain.protocol.CallerCall;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Needs;
import dev.parley.platform.http.Page;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Calls of the caller's own tools: which wait for a result, and their results. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.channels", value = "true")
@Tag(name = "Turns")
class CallController {
    private final TurnService turns;

    CallController(TurnService turns) {
        this.turns = turns;
    }

    /** A call that waits. */
    @Serdeable
    @Schema(name = "CallerCall", description = "A call of a tool of the caller, which waits for its result.")
    record Waiting(
            @Schema(description = "The call's id.") UUID id,
            @Schema(description = "The turn's id.") UUID turn,

            @Schema(description = "The number of the model call that made it, from 0.")
            int step,

            @Schema(description = "The model's own id for it.")
            String callId,

            @Schema(description = "The tool's name.") String tool,

            @Schema(description = "JSON as the model wrote it: it need not fit the tool's schema.")
            String arguments,

            @Schema(description = "When the turn goes on without a result.")
            Instant expiresAt) {
        static Waiting of(CallerCall call) {
            return new Waiting(
                    call.callId(),
                    call.turnId(),
                    call.step(),
                    call.toolCallId(),
                    call.name(),
                    call.arguments(),
                    call.expiresAt());
        }
    }

    /** A result. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "CallResult", description = "What a call gave, for the model.")
    record Result(
            @Schema(description = "At most 65,536 characters.") @Nullable
            String content,

            @Schema(description = "Whether it is an error.") @Nullable
            Boolean failed) {}

    /** Lists the calls that wait. */
    @Needs(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/calls", "/v1/projects/{project}/sessions/{key}/calls"})
    @Operation(
            summary = "List the calls that wait for the caller",
            description =
                    "The calls of tools that came with the active turn, in order; from the turn machine itself, at any instance. All in one "
                            + "page.")
    Page<Waiting> list(
            @Nullable @PathVariable String project, @PathVariable String key, @Parameter(hidden = true) Caller caller) {
        return new Page<>(
                turns.awaited(caller, caller.session(project, key)).stream()
                        .map(Waiting::of)
                        .toList(),
                null);
    }

    /** Gives a result. */
    @Needs(Capability.SESSION_SEND)
    @Post(
            uris = {
                "/v1/sessions/{key}/calls/{call}/result",
                "/v1/projects/{project}/sessions/{key}/calls/{call}/result"
            })
    @Operation(
            summary = "Give the result of a call",
            description =
                    "The first result holds, and the same one sent again is that one. The turn goes on when all calls of its step have "
                            + "their results.")
    @ApiResponse(responseCode = "202", description = "The result is taken.")
    @ApiResponse(responseCode = "404", description = "No such call waits for a result of this caller, or no longer.")
    HttpResponse<?> give(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @Parameter(description = "The call's id.") @PathVariable UUID call,
            @Body Result result,
            @Parameter(hidden = true) Caller caller) {
        if (result.content() == null) {
            throw ApiException.badRequest("missing_field", "The field 'content' is missing");
        }
        turns.answer(
                caller, caller.session(project, key), call, result.content(), Boolean.TRUE.equals(result.failed()));
        return HttpResponse.accepted();
    }
}
