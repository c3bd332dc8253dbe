package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.ResponseJson.Status;
import dev.parley.channels.openai.TurnStarter.Input;
import dev.parley.channels.openai.TurnStarter.Started;
import dev.parley.channels.openai.request.ClientTranscript;
import dev.parley.channels.openai.request.RequestContext;
import dev.parley.channels.openai.store.ConversationId;
import dev.parley.channels.openai.store.ConversationStore;
import dev.parley.channels.openai.store.ResponseId;
import dev.parley.channels.openai.store.ResponseStore;
import dev.parley.channels.openai.store.StoredConversation;
import dev.parley.channels.openai.store.StoredResponse;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.TurnEnd;
import dev.parley.channels.protocols.TurnFollower;
import dev.parley.channels.protocols.TurnHeaders;
import dev.parley.channels.web.FollowedTurn;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.SessionStanding.Use;
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
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Routes of responses: each is a turn, or the part of it after function calls. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.channels", value = "true")
@Tag(name = "OpenAI")
class ResponseController {
    /** Maximum wait for the end of a cancelled turn. */
    private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(3);

    private final TurnStarter starter;
    private final ResponseReader reader;
    private final ResponseStore store;
    private final ResponseRuns runs;
    private final ConversationStore conversations;

    ResponseController(
            TurnStarter starter,
            ResponseReader reader,
            ResponseStore store,
            ResponseRuns runs,
            ConversationStore conversations) {
        this.starter = starter;
        this.reader = reader;
        this.store = store;
        this.runs = runs;
        this.conversations = conversations;
    }

    /**
     * Create a response. Sends the input to the agent named as the model: after previous_response_id, in the session
     * named by conversation, or in a new session. With stream, events are sent as server-sent events; with background,
     * the response is returned at once, and GET shows its state.
     *
     * @return The response, or a stream of events.
     */
    @Authenticated
    @MaxBody(BodySize.FILES)
    @Post(uris = {"/v1/responses", "/v1/projects/{project}/responses"})
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_EVENT_STREAM}) // clients accept one of the two
    @RequestBody(content = @Content(schema = @Schema(type = "object")))
    @ApiResponse(responseCode = "400", description = "Invalid request; param names the field.")
    @ApiResponse(responseCode = "404", description = "Unknown agent.")
    @ApiResponse(responseCode = "429", description = "Too many turns were submitted, or a budget is exhausted.")
    HttpResponse<?> create(
            @Nullable @PathVariable String project, @Body byte[] body, HttpRequest<?> request, Caller caller)
            throws InterruptedException {
        RequestContext context = RequestContext.of(request, caller, project, body);
        ResponseRequest responseRequest =
                ResponseRequest.read(ProtocolJson.read(body), item -> store.item(caller, context.project(), item));
        StoredConversation conversation = conversation(context, responseRequest);
        if (conversation != null) {
            conversations.requireRoom(conversation);
        }
        Input input = input(context, responseRequest, conversation);
        Started started = starter.begin(context, input);
        FollowedTurn turn = started.turn();
        StoredResponse row = store(caller, responseRequest, input, started);
        if (conversation != null && !turn.key().session().equals(conversation.session())) {
            conversations.setSession(conversation, turn.key().session());
        }
        HttpResponse<?> response = row.result() != null
                ? ended(row, responseRequest.stream(), turn)
                : running(runs.follow(row, turn, responseRequest.isJson()), responseRequest, context.timeout());
        return TurnHeaders.add(turn, response);
    }

    /** The conversation of the protocol that a request names; null for none, and for the key of a session. */
    private @Nullable StoredConversation conversation(RequestContext context, ResponseRequest request) {
        String name = request.conversation();
        return name == null || !ConversationId.isMeant(name)
                ? null
                : conversations
                        .find(context.caller(), context.project(), name, Use.WRITE)
                        .orElseThrow(() -> ConversationController.unknown(name, "conversation"));
    }

    private Input input(RequestContext context, ResponseRequest request, @Nullable StoredConversation conversation) {
        if (conversation == null) {
            return input(
                    context,
                    request,
                    request.transcript(),
                    context.session() == null ? request.session() : context.session());
        }
        boolean isKnown =
                conversation.session() != null && request.transcript().history().isEmpty();
        return isKnown
                ? input(context, request, request.transcript(), conversation.session())
                : input(context, request, request.after(conversations.items(conversation)), null);
    }

    private Input input(
            RequestContext context, ResponseRequest request, ClientTranscript transcript, @Nullable String session) {
        ResponseId previous = request.previous();
        ResponseId referenced = request.referenced();
        return new Input(
                request.model(),
                transcript,
                request.settings(),
                request.tools(),
                session,
                previous == null
                        ? null
                        : store.find(context.caller(), context.project(), previous, Use.READ)
                                .orElseThrow(() -> ResponseRequest.noPrevious(previous.text())),
                referenced == null
                        ? null
                        : store.find(context.caller(), context.project(), referenced, Use.READ)
                                .orElse(null));
    }

    private StoredResponse store(Caller caller, ResponseRequest request, Input input, Started started) {
        FollowedTurn turn = started.turn();
        try {
            ResponseId id = ResponseId.of(turn.id(), started.firstStep());
            StoredResponse previous = input.previous();
            return store.begin(
                    caller,
                    turn.key(),
                    id,
                    turn.id(),
                    turn.seq().orElse(0),
                    started.firstStep(),
                    started.spent(),
                    request.previous(),
                    request.conversation() == null ? input.session() : request.conversation(),
                    request.options(),
                    InputItems.stored(request.items(), id),
                    ContextDigest.of(
                            previous == null ? null : ContextDigest.after(previous),
                            input.transcript().all()));
        } catch (RuntimeException e) {
            turn.close();
            throw e;
        }
    }

    /** A repeated request whose response has ended. */
    private static HttpResponse<?> ended(StoredResponse row, boolean isStreamed, FollowedTurn followed)
            throws InterruptedException {
        try (var turn = followed) {
            if (isStreamed) {
                return replay(row, 0);
            }
            TurnEnd end = turn.awaitEnd(Duration.ZERO).map(TurnEnd::of).orElse(null);
            if (end instanceof TurnEnd.Failed failed) {
                throw new ProtocolException(failed.failure());
            }
            return ProtocolJson.response(ProtocolJson.parse(String.valueOf(row.result())));
        }
    }

    private static HttpResponse<?> running(ResponseRun run, ResponseRequest request, Duration wait)
            throws InterruptedException {
        if (request.stream()) {
            return stream(run, 0);
        }
        if (request.background()) {
            return ProtocolJson.response(run.open(Status.QUEUED));
        }
        ResponseRun.End end = run.await(wait).orElse(null);
        if (end != null && end.turn() instanceof TurnEnd.Failed failed) {
            throw new ProtocolException(failed.failure());
        }
        return ProtocolJson.response(end == null ? run.open(Status.IN_PROGRESS) : end.response());
    }

    /** The events of a running response, from this number on. */
    private static HttpResponse<?> stream(ResponseRun run, int from) {
        return new EventStream(sink -> {
                    int number = from;
                    while (!run.endsBefore(number)) {
                        Optional<ObjectNode> event = run.event(number, TurnFollower.SILENCE);
                        if (event.isPresent()) {
                            send(sink, event.get());
                            number++;
                        } else if (!run.endsBefore(number)) {
                            sink.heartbeat();
                        }
                    }
                })
                .response();
    }

    /** The events of a response that has ended, from this number on. */
    private static HttpResponse<?> replay(StoredResponse row, int from) {
        ObjectNode ended = ProtocolJson.parse(String.valueOf(row.result()));
        JsonNode pieces = row.pieces() == null ? ProtocolJson.array() : ProtocolJson.parseArray(row.pieces());
        List<ObjectNode> events = ResponseEvents.replay(row.id(), ended, pieces);
        return new EventStream(sink -> {
                    for (ObjectNode event : events.subList(Math.min(from, events.size()), events.size())) {
                        send(sink, event);
                    }
                })
                .response();
    }

    private static void send(EventStream.Sink sink, ObjectNode event) throws InterruptedException {
        sink.event(event.path("type").asText(), null, ProtocolJson.bytes(event));
    }

    /**
     * Get a response. The response as its request was answered, for 30 days. With stream, its events are sent again,
     * also those to come.
     *
     * @param stream Whether its events are sent.
     * @param startingAfter Number of the last event that is not sent again; with stream.
     * @return The response, or a stream of events.
     */
    @Authenticated
    @Get(uris = {"/v1/responses/{id}", "/v1/projects/{project}/responses/{id}"})
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_EVENT_STREAM}) // clients accept one of the two
    @ApiResponse(responseCode = "400", description = "The stream is not available at this server.")
    @ApiResponse(responseCode = "404", description = "The response is unknown, or no longer available.")
    HttpResponse<?> show(
            @Nullable @PathVariable String project,
            @PathVariable String id,
            @Nullable @QueryValue Boolean stream,
            @Nullable @QueryValue("starting_after") Integer startingAfter,
            HttpRequest<?> request,
            Caller caller)
            throws InterruptedException {
        StoredResponse row = find(request, caller, project, id, Capability.SESSION_READ, Use.READ);
        if (startingAfter != null && startingAfter < 0) {
            throw ProtocolException.invalid("starting_after", "Invalid 'starting_after': the number of an event.");
        }
        if (!Boolean.TRUE.equals(stream)) {
            if (startingAfter != null) {
                throw ProtocolException.invalid("starting_after", "'starting_after' needs 'stream=true'.");
            }
            return ProtocolJson.response(reader.read(caller, row, Duration.ZERO));
        }
        int from = startingAfter == null ? 0 : startingAfter + 1;
        if (row.result() != null) {
            return replay(row, from);
        }
        return stream(
                runs.find(row.id())
                        .orElseThrow(() -> ProtocolException.badRequest(
                                "stream_not_available",
                                "stream",
                                "The stream of this response is at another server, or was lost: get it without"
                                        + " 'stream'.")),
                from);
    }

    /**
     * Cancel a response. Cancels the turn of the response, even if a request waits for it.
     *
     * @return The response, which was cancelled or had already ended.
     */
    @Authenticated
    @Audited(source = "turn", action = "cancel")
    @Post(uris = {"/v1/responses/{id}/cancel", "/v1/projects/{project}/responses/{id}/cancel"})
    @ApiResponse(responseCode = "404", description = "The response is unknown, or no longer available.")
    HttpResponse<byte[]> cancel(
            @Nullable @PathVariable String project, @PathVariable String id, HttpRequest<?> request, Caller caller)
            throws InterruptedException {
        StoredResponse row = find(request, caller, project, id, Capability.SESSION_SEND, Use.READ); // the turn decides
        if (row.result() == null) {
            reader.cancel(caller, row);
        }
        return ProtocolJson.response(reader.read(caller, row, CANCEL_TIMEOUT));
    }

    /**
     * Delete a response. Deletes the stored response; no other can continue it. Its turn stays in its session, which
     * can be deleted or erased.
     *
     * @return The response was deleted.
     */
    @Authenticated
    @Audited(source = "response", action = "delete")
    @Delete(uris = {"/v1/responses/{id}", "/v1/projects/{project}/responses/{id}"})
    @ApiResponse(responseCode = "404", description = "The response is unknown, or no longer available.")
    HttpResponse<byte[]> delete(
            @Nullable @PathVariable String project, @PathVariable String id, HttpRequest<?> request, Caller caller) {
        StoredResponse row = find(request, caller, project, id, Capability.SESSION_SEND, Use.MANAGE);
        store.delete(row);
        return ProtocolJson.response(ProtocolJson.object()
                .put("id", row.id().text())
                .put("object", "response")
                .put("deleted", true));
    }

    /**
     * List input items. The items of the input of a response, newest first unless order is asc.
     *
     * @param after Id of the last item of the page before.
     * @return The items.
     */
    @Authenticated
    @Get(uris = {"/v1/responses/{id}/input_items", "/v1/projects/{project}/responses/{id}/input_items"})
    @ApiResponse(responseCode = "400", description = "The input is too large to be kept.")
    @ApiResponse(responseCode = "404", description = "The response is unknown, or no longer available.")
    HttpResponse<byte[]> inputItems(
            @Nullable @PathVariable String project,
            @PathVariable String id,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String order,
            @Nullable @QueryValue String after,
            HttpRequest<?> request,
            Caller caller) {
        StoredResponse row = find(request, caller, project, id, Capability.SESSION_READ, Use.READ);
        if (row.input() == null) {
            throw ProtocolException.badRequest(
                    "input_not_kept", "response_id", "The input of this response is larger than 1 MiB, and not kept.");
        }
        return ProtocolJson.response(ItemList.page(ProtocolJson.parseArray(row.input()), limit, order, after));
    }

    private StoredResponse find(
            HttpRequest<?> request,
            Caller caller,
            @Nullable String project,
            String id,
            Capability capability,
            Use use) {
        Project target = RequestContext.project(request, caller, project, capability);
        return ResponseId.parse(id)
                .flatMap(read -> store.find(caller, target, read, use))
                .orElseThrow(() -> unknown(id));
    }

    static ProtocolException unknown(String id) {
        return ProtocolException.notFound(
                "response_not_found", "response_id", "Response with id '%s' not found.".formatted(id));
    }
}
