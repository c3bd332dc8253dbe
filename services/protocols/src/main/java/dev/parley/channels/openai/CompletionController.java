package dev.parley.channels.openai;

import dev.parley.channels.openai.TurnStarter.Input;
import dev.parley.channels.openai.TurnStarter.Started;
import dev.parley.channels.openai.request.RequestContext;
import dev.parley.channels.openai.store.ResponseStore;
import dev.parley.channels.protocols.AnswerText;
import dev.parley.channels.protocols.ExternalTurnId;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolException.Failure;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.channels.protocols.TurnEnd;
import dev.parley.channels.protocols.TurnFollower;
import dev.parley.channels.protocols.TurnHeaders;
import dev.parley.channels.web.FollowedTurn;
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
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Route of chat completions: each request is a turn. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.channels", value = "true")
@Tag(name = "OpenAI")
class CompletionController {
    private final TurnStarter turns;
    private final ResponseStore store;

    CompletionController(TurnStarter turns, ResponseStore store) {
        this.turns = turns;
        this.store = store;
    }

    /**
     * Create a chat completion. Sends the user's last message to the agent named as the model, after the conversation
     * in the request. With the header Parley-Session, the session has its own conversation, and only new messages are
     * sent to it. With stream, the answer is sent in chunks, as server-sent events.
     *
     * @return The answer, or a stream of its chunks.
     */
    @Authenticated
    @MaxBody(BodySize.FILES)
    @Post(uris = {"/v1/chat/completions", "/v1/projects/{project}/chat/completions"})
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_EVENT_STREAM}) // clients accept one of the two
    @RequestBody(content = @Content(schema = @Schema(type = "object")))
    @ApiResponse(responseCode = "400", description = "Invalid request; param names the field.")
    @ApiResponse(responseCode = "404", description = "Unknown agent.")
    @ApiResponse(responseCode = "429", description = "Too many turns were submitted, or a budget is exhausted.")
    HttpResponse<?> complete(
            @Nullable @PathVariable String project, @Body byte[] body, HttpRequest<?> request, Caller caller)
            throws InterruptedException {
        RequestContext context = RequestContext.of(request, caller, project, body);
        CompletionRequest completionRequest = CompletionRequest.read(RequestFields.of(ProtocolJson.read(body)));
        Input input = completionRequest.input(context.session());
        Started started = turns.begin(context, input);
        FollowedTurn turn = started.turn();
        int from = started.firstStep();
        Function<TurnEnd, CompletionEnd> ends =
                end -> new CompletionEnd(store.handOut(caller.host(), turn.key(), end), started.own(end.usage()));
        var json = new CompletionJson(
                "chatcmpl-" + ExternalTurnId.hex(turn.id()) + (from == 0 ? "" : "-" + from),
                Instant.now().getEpochSecond(),
                completionRequest.model());
        var text = new AnswerText(completionRequest.isJson(), from);
        return TurnHeaders.add(
                turn,
                completionRequest.stream()
                        ? new EventStream(sink -> stream(
                                        turn,
                                        new CompletionStream(text, json, completionRequest.withUsage(), ends, sink)))
                                .response()
                        : respond(turn, text, json, ends, context.timeout()));
    }

    private static HttpResponse<byte[]> respond(
            FollowedTurn followed,
            AnswerText text,
            CompletionJson json,
            Function<TurnEnd, CompletionEnd> ends,
            Duration wait)
            throws InterruptedException {
        try (var turn = followed) {
            TurnEnd end = new TurnFollower(turn, wait).follow(wait, TextListener.discarding(text));
            Failure failure = end.failure();
            if (failure != null) {
                throw new ProtocolException(failure);
            }
            CompletionEnd last = ends.apply(end);
            return ProtocolJson.response(json.completion(text.texts(), last.calls(), text.isCut(), last.usage()));
        }
    }

    private static void stream(FollowedTurn followed, CompletionStream stream) throws InterruptedException {
        try (var turn = followed) {
            stream.write(turn);
        }
    }
}
