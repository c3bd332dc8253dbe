package dev.parley.channels.agui;

import dev.parley.channels.protocols.AgentInvocation;
import dev.parley.channels.protocols.EventSink;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.channels.protocols.TurnFollower;
import dev.parley.channels.protocols.TurnHeaders;
import dev.parley.channels.web.FollowedTurn;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.EventStream;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Route of AG-UI runs: each starts or continues a turn. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "AG-UI", description = "Agents for applications that speak AG-UI.")
class RunController {
    private final RunStarter turns;

    RunController(RunStarter turns) {
        this.turns = turns;
    }

    /**
     * Run an agent. Sends the user's last message to the agent, in the session whose key is threadId, and streams
     * events of AG-UI 1.0. A message that was already sent is not sent again: the run continues its turn. With resume,
     * the run answers the agent's questions.
     *
     * @return The stream of events.
     */
    @Authenticated
    @MaxBody(BodySize.FILES)
    @Post(uris = {"/v1/agui/{agent}", "/v1/projects/{project}/agui/{agent}"})
    @Produces({MediaType.TEXT_EVENT_STREAM, MediaType.APPLICATION_JSON})
    @RequestBody(content = @Content(schema = @Schema(type = "object")))
    @ApiResponse(responseCode = "400", description = "Invalid input; the run was not started.")
    @ApiResponse(responseCode = "404", description = "Unknown agent.")
    @ApiResponse(responseCode = "429", description = "Too many turns were submitted, or a budget is exhausted.")
    HttpResponse<?> run(
            @Nullable @PathVariable String project,
            @PathVariable String agent,
            @Body byte[] body,
            HttpRequest<?> request,
            Caller caller)
            throws InterruptedException {
        Project targetProject = AgentInvocation.project(caller, project, Capability.SESSION_SEND);
        RunInput input = read(body);
        FollowedTurn turn = turns.begin(
                new AgentInvocation(
                        caller, targetProject, agent, request.getHeaders().get("traceparent")),
                input);
        List<String> skipped =
                input.lastUserMessage() < 0 ? List.of() : input.skippedParts(input.firstUnansweredIndex());
        var stream = new EventStream(sink -> {
            try (turn) {
                new RunStream(turn, turn.id(), input, EventSink.of(sink))
                        .write(turn.key().session(), skipped, TurnFollower.SILENCE);
            }
        });
        return TurnHeaders.add(turn, stream.response());
    }

    /** Invalid fields are problems of this API. */
    private static RunInput read(byte[] body) {
        try {
            return RunInput.read(RequestFields.of(ProtocolJson.read(body)));
        } catch (ProtocolException e) {
            throw new ApiException(
                    HttpStatus.BAD_REQUEST, e.failure().code(), e.failure().message());
        }
    }
}
