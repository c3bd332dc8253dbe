package dev.parley.channels.web;

import dev.parley.channels.web.EventJson.Piece;
import dev.parley.channels.web.PositionedDelta.Position;
import dev.parley.channels.web.TurnSubmitter.Submitted;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.domain.protocol.TurnState;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.EventStream;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.platform.http.TurnJson;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.ObjectMapper;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** Server-sent events of sessions. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.channels", value = "true")
@Tag(name = "Events", description = "Follow sessions in real time.")
class EventController {
    static final Duration HEARTBEAT = Duration.ofSeconds(15);
    /** Maximum wait for the last delta after the end of its turn; deltas are best effort. */
    private static final Duration LATE = Duration.ofSeconds(2);

    private final DeltaHub hub;
    private final TurnSubmitter turns;
    private final VisibilityChecks checks;
    private final ObjectMapper mapper;

    EventController(DeltaHub hub, TurnSubmitter turns, VisibilityChecks checks, ObjectMapper mapper) {
        this.hub = hub;
        this.turns = turns;
        this.checks = checks;
        this.mapper = mapper;
    }

    /**
     * Stream a session's events. Streams the events started, token, reasoning, tool_arguments, tool_call, tool_result,
     * message, progress, approval, caller_call, retry, done and error. A client can resume after the last event that it
     * received, on any instance. A session that does not exist yet can be watched.
     *
     * @param key Key of the session.
     * @param turn Id of a turn: only its events are sent, and the stream ends with it.
     * @param lastEventIdHeader Id of the last event that the client received.
     * @param lastEventId Same as the header Last-Event-ID, for clients that cannot send it.
     * @return The stream of events.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/events", "/v1/projects/{project}/sessions/{key}/events"})
    @Produces(MediaType.TEXT_EVENT_STREAM)
    HttpResponse<Publisher<byte[]>> events(
            @Nullable @PathVariable String project,
            @PathVariable String key,
            @Nullable @QueryValue UUID turn,
            @Nullable @Header("Last-Event-ID") String lastEventIdHeader,
            @Nullable @QueryValue String lastEventId,
            Caller caller) {
        RecordKey session = caller.session(project, key);
        Position after = position(lastEventIdHeader == null ? lastEventId : lastEventIdHeader);
        Visibility visibility = checks.of(caller, session);
        DeltaWatch watch = hub.watch(session, after, turn != null);
        return new EventStream(sink -> {
                    try (watch) {
                        sink.heartbeat();
                        follow(session, watch, visibility, turn, sink);
                    }
                })
                .response();
    }

    static @Nullable Position position(@Nullable String id) {
        if (id == null || id.isBlank()) {
            return null;
        }
        return Position.parse(id.strip())
                .orElseThrow(() -> ApiException.badRequest("invalid_event_id", "An event id is partition.offset"));
    }

    private void follow(
            RecordKey session, DeltaWatch watch, Visibility visibility, @Nullable UUID turn, EventStream.Sink sink)
            throws InterruptedException {
        boolean done = false;
        while (!done) {
            Optional<PositionedDelta> next = watch.next(HEARTBEAT);
            done = visibility.isOver();
            if (next.isEmpty()) {
                sink.heartbeat();
            } else if (visibility.sees(next.get())
                    && (turn == null || next.get().delta().turnId().equals(turn))) {
                send(session, next.get(), sink);
                done = turn != null && next.get().endsTurn();
            }
        }
    }

    private void send(RecordKey session, PositionedDelta delta, EventStream.Sink sink) throws InterruptedException {
        sink.event(
                EventJson.name(delta.delta().kind()),
                delta.position().toString(),
                json(Piece.of(session, delta.delta())));
    }

    /**
     * Submit a turn and stream its reply. Submits a message and streams its turn: first the event accepted, then all
     * others up to done or error.
     *
     * @return The stream of events.
     */
    @RequiresCapability(Capability.SESSION_SEND)
    @MaxBody(BodySize.FILES)
    @Post("/v1/chat")
    @Produces(MediaType.TEXT_EVENT_STREAM)
    HttpResponse<Publisher<byte[]>> chat(
            @Nullable @Header("Idempotency-Key") String idempotencyKey,
            @Nullable @Header("traceparent") @Parameter(hidden = true) String trace,
            @Body ChatRequest chat,
            Caller caller) {
        String reference = TurnSubmitter.reference(idempotencyKey);
        String key =
                chat.session() == null ? SessionController.generatedKey(caller, "chat", reference) : chat.session();
        RecordKey session = caller.session(RecordKey.DEFAULT_PROJECT, key);
        var turn = turns.turn(caller, session, chat.turnRequest(), reference, trace);
        DeltaWatch watch = hub.watch(session, null, false);
        try {
            Submitted submitted = turns.submit(session, turn);
            return new EventStream(sink -> answer(submitted, watch, sink)).response();
        } catch (RuntimeException e) {
            watch.close();
            throw e;
        }
    }

    private void answer(Submitted submitted, DeltaWatch watch, EventStream.Sink sink) throws InterruptedException {
        try (submitted;
                watch) {
            sink.event("accepted", null, json(EventJson.Accepted.of(submitted, null, null)));
            boolean done = false;
            while (!done) {
                boolean ended = submitted.ticket().finished().isDone();
                Optional<PositionedDelta> next = watch.next(ended ? LATE : pause(submitted));
                if (next.isPresent() && next.get().delta().turnId().equals(submitted.turnId())) {
                    send(submitted.key(), next.get(), sink);
                    done = next.get().endsTurn();
                } else if (next.isEmpty() && ended) {
                    last(submitted.json(), sink);
                    done = true;
                } else if (next.isEmpty()) {
                    sink.heartbeat();
                }
            }
        }
    }

    /** A resubmitted message whose turn ended long ago is answered from its outcome after a short wait. */
    private static Duration pause(Submitted submitted) {
        return submitted.outcome().isPresent() ? LATE : HEARTBEAT;
    }

    private void last(TurnJson turn, EventStream.Sink sink) throws InterruptedException {
        boolean failed = turn.state() == TurnState.FAILED;
        sink.event(
                failed ? "error" : "done",
                null,
                json(new Piece(null, turn.id(), turn.session(), 0, 0, turn.reply(), null, null, turn.state(), null)));
    }

    private byte[] json(EventJson event) {
        try {
            return mapper.writeValueAsBytes(event);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
