package dev.parley.channels.web;

import dev.parley.channels.web.EventJson.Piece;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import io.micronaut.http.HttpStatus;
import io.micronaut.serde.ObjectMapper;
import io.micronaut.websocket.CloseReason;
import io.micronaut.websocket.WebSocketSession;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One WebSocket client: its messages are handled in order, its streams run concurrently. */
final class SocketConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SocketConnection.class);
    private static final int MAX_WAITING = 64;
    private static final int MAX_STREAMS = 32;
    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration POLL_TIMEOUT = Duration.ofSeconds(2);

    private final WebSocketSession socket;
    private volatile Caller caller;
    private final VisibilityChecks checks;
    private final DeltaHub hub;
    private final TurnSubmitter turns;
    private final CallerCommands commands;
    private final ObjectMapper mapper;
    private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final Set<RecordKey> subscribed = ConcurrentHashMap.newKeySet();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final AtomicInteger streams = new AtomicInteger();
    private final ByteArrayOutputStream partialText = new ByteArrayOutputStream();
    private boolean tooLong;
    private volatile boolean closed;

    SocketConnection(
            WebSocketSession socket,
            Caller caller,
            VisibilityChecks checks,
            DeltaHub hub,
            TurnSubmitter turns,
            CallerCommands commands,
            ObjectMapper mapper) {
        this.socket = socket;
        this.caller = caller;
        this.checks = checks;
        this.hub = hub;
        this.turns = turns;
        this.commands = commands;
        this.mapper = mapper;
        start(() -> {
            while (!closed) {
                handle(waiting.take());
            }
        });
    }

    @FunctionalInterface
    private interface Task {
        void run() throws InterruptedException;
    }

    private void start(Task task) {
        Thread thread = Thread.ofVirtual().name("ws").unstarted(() -> {
            try {
                task.run();
            } catch (InterruptedException | DeltaWatch.EndedException e) {
                // closed, or too slow: the client resumes
                socket.close(CloseReason.GOING_AWAY);
            } catch (RuntimeException e) {
                LOG.atWarn().setCause(e).log("WebSocket stream ended by an error");
                socket.close(CloseReason.INTERNAL_ERROR);
            } finally {
                threads.remove(Thread.currentThread());
            }
        });
        threads.add(thread);
        thread.start();
    }

    /** Receives a frame, on the thread of the connection. A message that is too long closes the connection. */
    void take(ByteBuf part, boolean last) {
        if (tooLong || partialText.size() + part.readableBytes() > ChatSocket.MAX_MESSAGE) {
            tooLong = true;
            partialText.reset();
            socket.close(CloseReason.MESSAGE_TO_BIG);
            return;
        }
        partialText.writeBytes(ByteBufUtil.getBytes(part));
        if (last) {
            String text = partialText.toString(StandardCharsets.UTF_8);
            partialText.reset();
            if (!waiting.offer(text)) {
                socket.close(CloseReason.TRY_AGAIN_LATER);
            }
        }
    }

    private void handle(String text) throws InterruptedException {
        SocketMessage message = null;
        try {
            message = parse(text);
            handle(message);
        } catch (IOException e) {
            String detail = String.valueOf(e.getMessage()).contains("Unknown property")
                    ? "It contains an unknown field."
                    : "It is not a JSON object.";
            send(new EventJson.Failed(
                    "error", "bad_message", "The message cannot be understood. " + detail, null, null));
        } catch (ApiException e) {
            String session = message == null ? null : message.session();
            send(new EventJson.Failed(
                    "error", e.code(), e.getMessage(), session, message == null ? null : message.id()));
        }
    }

    private SocketMessage parse(String text) throws IOException {
        SocketMessage message = mapper.readValue(text, SocketMessage.class);
        if (message == null) {
            throw new IOException("null is not a message");
        }
        return message;
    }

    private void handle(SocketMessage message) throws InterruptedException {
        caller = caller.refresh()
                .orElseThrow(() -> new ApiException(
                        HttpStatus.UNAUTHORIZED,
                        "unauthorized",
                        "The key has expired: connect again with another one."));
        caller.require(
                "subscribe".equals(message.type()) ? Capability.SESSION_READ : Capability.SESSION_SEND,
                message.project());
        RecordKey key = caller.session(
                message.project(),
                Optional.ofNullable(message.session())
                        .orElseThrow(() -> ApiException.badRequest("missing_field", "The field 'session' is missing")));
        switch (message.type() == null ? "" : message.type()) {
            case "turn" -> turn(key, message);
            case "subscribe" -> subscribe(key, message);
            case "cancel" -> cancel(key, message);
            default -> throw ApiException.badRequest("bad_message", "The 'type' is turn, subscribe or cancel");
        }
    }

    private void turn(RecordKey key, SocketMessage message) throws InterruptedException {
        String text = message.text() == null ? "" : message.text();
        var turnRequest =
                new TurnRequest(text, null, message.mode(), message.agent(), message.settings(), message.tools());
        var turn = turns.turn(caller, key, turnRequest, TurnSubmitter.reference(message.id()), null);
        DeltaWatch watch = subscribed.contains(key) ? null : watch(key, null);
        boolean streaming = false;
        try (var submitted = turns.submit(key, turn)) {
            send(EventJson.Accepted.of(submitted, "accepted", message.id()));
            if (watch != null) {
                UUID id = submitted.turnId();
                DeltaWatch watching = watch;
                var visibility = new Visibility(caller, key, caller.readsAll(key.project()), true);
                start(() -> follow(key, watching, visibility, id));
                streaming = true;
            }
        } finally {
            if (watch != null && !streaming) {
                release(watch);
            }
        }
    }

    private void subscribe(RecordKey key, SocketMessage message) throws InterruptedException {
        if (!subscribed.add(key)) {
            throw ApiException.badRequest(
                    "already_subscribed", "This connection has subscribed to the session already");
        }
        DeltaWatch watch;
        Visibility visibility;
        try {
            visibility = checks.of(caller, key);
            watch = watch(key, message.lastEventId());
        } catch (RuntimeException e) {
            subscribed.remove(key);
            throw e;
        }
        send(new EventJson.Acknowledged("subscribed", key.session(), message.id()));
        start(() -> follow(key, watch, visibility, null));
    }

    private DeltaWatch watch(RecordKey key, @Nullable String lastEventId) {
        if (streams.incrementAndGet() > MAX_STREAMS) {
            streams.decrementAndGet();
            throw new ApiException(
                    HttpStatus.TOO_MANY_REQUESTS,
                    "too_many_streams",
                    "A connection has at most " + MAX_STREAMS + " streams");
        }
        try {
            return hub.watch(key, EventController.position(lastEventId), false);
        } catch (RuntimeException e) {
            streams.decrementAndGet();
            throw e;
        }
    }

    private void release(DeltaWatch watch) {
        streams.decrementAndGet();
        watch.close();
    }

    private void follow(RecordKey key, DeltaWatch watch, Visibility visibility, @Nullable UUID turn)
            throws InterruptedException {
        boolean done = false;
        try {
            while (!done && !closed) {
                Optional<PositionedDelta> next = watch.next(POLL_TIMEOUT);
                if (visibility.isOver()) {
                    throw new DeltaWatch.EndedException();
                }
                if (next.isPresent()
                        && visibility.sees(next.get())
                        && (turn == null || next.get().delta().turnId().equals(turn))) {
                    PositionedDelta delta = next.get();
                    send(Piece.of(key, delta.delta())
                            .toFrame(delta.delta().kind(), delta.position().toString()));
                    done = turn != null && delta.endsTurn();
                }
            }
        } finally {
            release(watch);
        }
    }

    private void cancel(RecordKey key, SocketMessage message) throws InterruptedException {
        commands.cancel(caller, key, null, null);
        send(new EventJson.Acknowledged("cancelled", key.session(), message.id()));
    }

    private void send(EventJson event) throws InterruptedException {
        try {
            socket.sendAsync(mapper.writeValueAsString(event)).get(SEND_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new DeltaWatch.EndedException();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
    }
}
