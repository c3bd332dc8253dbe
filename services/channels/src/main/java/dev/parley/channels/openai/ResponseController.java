package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.ResponseJson.Status;
import dev.parley.channels.openai.TurnStarter.Input;
import dev.parley.channels.protocols.AnswerText;
import dev.parley.channels.protocols.AnswerText.Piece;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.TurnEnd;
import dev.parley.channels.protocols.TurnFollower;
import dev.parley.channels.protocols.TurnHeaders;
import dev.parley.channels.web.FollowedTurn;
import dev.parley.channels.web.TurnService;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.domain.protocol.CallerCall;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnState;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.EventStream;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Routes of responses: each is a turn, which its id contains. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.channels", value = "true")
@Tag(name = "OpenAI")
class ResponseController {
    /** Maximum wait for the end of a cancelled turn. */
    private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(3);

    private final TurnStarter starter;
    private final TurnService turns;

    ResponseController(TurnStarter starter, TurnService turns) {
        this.starter = starter;
        this.turns = turns;
    }

    @Authenticated
    @MaxBody(BodySize.FILES)
    @Post(uris = {"/v1/responses", "/v1/projects/{project}/responses"})
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_EVENT_STREAM}) // clients accept one of the two
    @Operation(
            summary = "Create a response",
            description = "Sends the input to the agent named as the model: after previous_response_id, in the "
                    + "session named by conversation, or in a new session. With stream, events are sent as "
                    + "server-sent events; with background, the response is returned at once, and GET shows "
                    + "its state.")
    @RequestBody(content = @Content(schema = @Schema(type = "object")))
    @ApiResponse(responseCode = "200", description = "The response, or a stream of events.")
    @ApiResponse(responseCode = "400", description = "Invalid request; param names the field.")
    @ApiResponse(responseCode = "404", description = "Unknown agent.")
    @ApiResponse(responseCode = "429", description = "Too many turns were submitted, or a budget is exhausted.")
    HttpResponse<?> create(
            @Nullable @PathVariable String project,
            @Body byte[] body,
            HttpRequest<?> request,
            @Parameter(hidden = true) Caller caller)
            throws InterruptedException {
        RequestContext context = RequestContext.of(request, caller, project, body);
        ResponseRequest responseRequest = ResponseRequest.read(ProtocolJson.read(body));
        Input input = responseRequest.input(context.session());
        FollowedTurn turn = starter.begin(context, input);
        var response = new ResponseJson(
                new ResponseId(turn.key().session(), turn.id(), turn.seq().orElse(0), input.from()),
                now(),
                responseRequest.body(),
                responseRequest.model(),
                responseRequest.previous() == null
                        ? null
                        : responseRequest.previous().text(),
                input.session());
        return TurnHeaders.add(
                turn,
                responseRequest.stream()
                        ? new EventStream(sink -> stream(turn, responseRequest, response, sink)).response()
                        : respond(turn, responseRequest, response, context.timeout()));
    }

    private static HttpResponse<byte[]> respond(
            FollowedTurn followed, ResponseRequest request, ResponseJson response, Duration wait)
            throws InterruptedException {
        var text = new AnswerText(request.isJson(), response.id().from());
        try (var turn = followed) {
            if (request.background()) {
                return ProtocolJson.response(response.open(Status.QUEUED));
            }
            TurnEnd end = new TurnFollower(turn, wait).follow(wait, TextListener.discarding(text));
            if (end instanceof TurnEnd.Failed failed) {
                throw new ProtocolException(failed.failure());
            }
            List<ClientToolCall> calls = ClientToolCall.of(end, turn.key());
            return ProtocolJson.response(complete(response, text, end, calls, now()));
        }
    }

    private static long now() {
        return Instant.now().getEpochSecond();
    }

    /**
     * The response at the end of its turn.
     *
     * @param completed seconds since 1970
     */
    private static ObjectNode complete(
            ResponseJson response, AnswerText text, TurnEnd end, List<ClientToolCall> calls, long completed) {
        Status status = Status.of(end, text.isCut());
        if (status == Status.IN_PROGRESS) {
            return response.open(status);
        }
        Status last = status == Status.COMPLETED ? Status.COMPLETED : Status.INCOMPLETE;
        ArrayNode output = response.output(text.texts(), last.code(), calls);
        return response.of(status, output, end.usage(), end.failure(), completed);
    }

    private static void stream(
            FollowedTurn followed, ResponseRequest request, ResponseJson response, EventStream.Sink sink)
            throws InterruptedException {
        var text = new AnswerText(request.isJson(), response.id().from());
        var events = new ResponseEvents(response);
        try (var turn = followed) {
            send(sink, events.openingEvents());
            TurnEnd end = new TurnFollower(turn, TurnFollower.SILENCE)
                    .follow(TurnFollower.LONGEST, new TextListener(text) {
                        @Override
                        void onText(Piece piece) throws InterruptedException {
                            send(sink, events.text(piece));
                        }

                        @Override
                        public void onSilence() throws InterruptedException {
                            sink.heartbeat();
                        }
                    });
            List<ClientToolCall> calls = ClientToolCall.of(end, turn.key());
            send(sink, events.callEvents(calls));
            send(sink, last(events, end, complete(response, text, end, calls, now())));
        }
    }

    private static List<ObjectNode> last(ResponseEvents events, TurnEnd end, ObjectNode complete) {
        return switch (end) {
            case TurnEnd.Completed _, TurnEnd.Called _ -> events.completionEvents(complete);
            case TurnEnd.Failed failed -> events.failureEvents(failed.failure(), complete);
            case TurnEnd.Cancelled cancelled -> events.failureEvents(cancelled.failure(), complete);
            case TurnEnd.Open open -> List.of(events.error(open.failure()));
        };
    }

    private static void send(EventStream.Sink sink, List<ObjectNode> events) throws InterruptedException {
        for (ObjectNode event : events) {
            sink.event(event.path("type").asText(), null, ProtocolJson.bytes(event));
        }
    }

    @Authenticated
    @Get(uris = {"/v1/responses/{id}", "/v1/projects/{project}/responses/{id}"})
    @Operation(
            summary = "Get a response",
            description = "The state of a response and its final reply, until seven days after its end.")
    @ApiResponse(responseCode = "200", description = "The response.")
    @ApiResponse(responseCode = "404", description = "The response is unknown, or no longer available.")
    HttpResponse<byte[]> show(
            @Nullable @PathVariable String project,
            @PathVariable String id,
            HttpRequest<?> request,
            @Parameter(hidden = true) Caller caller)
            throws InterruptedException {
        return readResponse(caller, responseTurn(request, caller, project, id, Capability.SESSION_READ), Duration.ZERO);
    }

    private HttpResponse<byte[]> readResponse(Caller caller, ResponseTurn responseTurn, Duration timeout)
            throws InterruptedException {
        Optional<Outcome.Finished> end = queryTurn(
                responseTurn.id(),
                () -> turns.find(caller, responseTurn.key(), responseTurn.id().turn(), timeout));
        return ProtocolJson.response(
                end.map(turn -> finishedJson(responseTurn, turn)).orElseGet(() -> open(caller, responseTurn)));
    }

    private ObjectNode open(Caller caller, ResponseTurn responseTurn) {
        long now = now();
        ResponseJson response = responseTurn.json(now, null);
        List<CallerCall> calls = turns.awaitedCalls(caller, responseTurn.key()).stream()
                .filter(call -> call.turnId().equals(responseTurn.id().turn()))
                .toList();
        return calls.isEmpty()
                ? response.open(Status.IN_PROGRESS)
                : response.of(
                        Status.COMPLETED,
                        response.output(
                                List.of(), Status.COMPLETED.code(), ClientToolCall.of(calls, responseTurn.key())),
                        null,
                        null,
                        now);
    }

    @Authenticated
    @Audited(source = "turn", action = "cancel")
    @Post(uris = {"/v1/responses/{id}/cancel", "/v1/projects/{project}/responses/{id}/cancel"})
    @Operation(
            summary = "Cancel a response",
            description = "Cancels the turn of the response, even if a request waits for it.")
    @ApiResponse(responseCode = "200", description = "The response, which was cancelled or had already ended.")
    @ApiResponse(responseCode = "404", description = "The response is unknown, or no longer available.")
    HttpResponse<byte[]> cancel(
            @Nullable @PathVariable String project,
            @PathVariable String id,
            HttpRequest<?> request,
            @Parameter(hidden = true) Caller caller)
            throws InterruptedException {
        ResponseTurn responseTurn = responseTurn(request, caller, project, id, Capability.SESSION_SEND);
        try {
            queryTurn(responseTurn.id(), () -> {
                turns.cancel(caller, responseTurn.key(), responseTurn.id().turn());
                return id;
            });
        } catch (ApiException e) {
            if (!e.code().equals("turn_finished")) {
                throw e;
            }
        }
        return readResponse(caller, responseTurn, CANCEL_TIMEOUT);
    }

    /** A response and the session of its turn. */
    private record ResponseTurn(RecordKey key, ResponseId id) {
        ResponseJson json(long created, @Nullable String model) {
            return new ResponseJson(id, created, ProtocolJson.object(), model == null ? "unknown" : model, null, null);
        }
    }

    private static ResponseTurn responseTurn(
            HttpRequest<?> request, Caller caller, @Nullable String project, String id, Capability capability) {
        Project targetProject = RequestContext.project(request, caller, project, capability);
        ResponseId read = ResponseId.parse(id)
                .filter(parsedId -> parsedId.text().equals(id))
                .orElseThrow(() -> unknown(id));
        return new ResponseTurn(caller.session(targetProject.projectKey(), read.session()), read);
    }

    private static ProtocolException unknown(String id) {
        return ProtocolException.notFound(
                "response_not_found", "response_id", "Response with id '%s' not found.".formatted(id));
    }

    /** A query about a turn. */
    private interface TurnQuery<T> {
        T run() throws InterruptedException;
    }

    private static <T> T queryTurn(ResponseId id, TurnQuery<T> query) throws InterruptedException {
        try {
            return query.run();
        } catch (ApiException e) {
            if (e.code().startsWith("unknown_")) {
                throw unknown(id.text());
            }
            throw e;
        }
    }

    private static ObjectNode finishedJson(ResponseTurn responseTurn, Outcome.Finished turn) {
        ResponseJson response = responseTurn.json(turn.createdAt().getEpochSecond(), turn.model());
        var text = new AnswerText(true);
        if (turn.state() != TurnState.FAILED) {
            text.reply(turn.reply());
        }
        return complete(
                response, text, TurnEnd.of(turn), List.of(), turn.completedAt().getEpochSecond());
    }
}
