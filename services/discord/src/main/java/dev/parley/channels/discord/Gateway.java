package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.ReceiverStatus;
import dev.parley.channels.discord.GatewayMachine.Effect;
import dev.parley.channels.discord.GatewayMachine.Input;
import dev.parley.channels.discord.GatewayMachine.State;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connection of a bot to Discord's gateway: carries out the decisions of {@link GatewayMachine} on one thread. */
final class Gateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
    /** Unlike 1000 and 1001, it keeps the session. */
    private static final int RESUMABLE = 4_000;

    private static final long POLL_MILLIS = 1_000;
    /** Limit of events that are not durable yet; further ones are resent later. */
    private static final int MAX_PENDING = 2_000;

    private final String bot;
    private final DiscordApi api;
    private final int intents;
    private final SafeSequence sequence;
    private final Listener listener;
    private final ReceiverStatus status;
    private final BlockingQueue<QueuedInput> inputs = new LinkedBlockingQueue<>();
    private final Thread thread;
    private final long started = System.nanoTime();
    private State state = GatewayMachine.begin(0);
    private @Nullable WebSocket socket;
    /** True while pending events are handled before more are received. */
    private boolean full;
    /** Number of the connection: payloads of older ones are ignored. */
    private int connection;

    /** The last payload, which may begin a session. */
    private @Nullable GatewayPayload latest;

    private volatile boolean closed;

    /** Consumer of events. */
    interface Listener {
        /**
         * A new session begins; earlier events are unknown.
         *
         * @param ready Discord's description of the bot
         */
        void onSession(JsonNode ready);

        /**
         * An event; returns quickly.
         *
         * @param safe run once it is durable
         */
        void onEvent(String type, JsonNode data, Runnable safe);

        /** Whether no event is pending. */
        boolean isIdle();

        /** Pending events will be resent and may be dropped. */
        void forget();
    }

    private record QueuedInput(
            int connection,
            @Nullable GatewayPayload payload,
            @Nullable Input input) {}

    Gateway(String bot, DiscordApi api, int intents, SafeSequence sequence, Listener listener) {
        this.bot = bot;
        this.api = api;
        this.intents = intents;
        this.sequence = sequence;
        this.listener = listener;
        this.status = new ReceiverStatus(bot);
        this.thread = Thread.ofVirtual().name("discord-" + bot).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** The problem that prevents events from arriving until an operator acts; empty for none. */
    Optional<String> problem() {
        return status.problem();
    }

    /** Milliseconds since creation. */
    private long now() {
        return (System.nanoTime() - started) / 1_000_000;
    }

    private void run() {
        try {
            while (!closed) {
                step();
            }
        } catch (InterruptedException e) {
            // closed
        } finally {
            disconnect();
        }
    }

    private void step() throws InterruptedException {
        try {
            full &= !listener.isIdle();
            next();
            if (!full && socket != null && sequence.waiting() >= MAX_PENDING) {
                full = true;
                sequence.forget();
                listener.forget();
                decide(new Input.Overloaded());
            }
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("bot", bot).setCause(e).log("gateway failed; reconnecting");
            decide(new Input.Closed(Input.NONE, null));
            disconnect();
        }
    }

    /** Handles the next payload, or a tick. */
    private void next() throws InterruptedException {
        boolean paused = full && state instanceof State.Disconnected;
        long wait = paused ? POLL_MILLIS : Math.min(state.wake() - now(), POLL_MILLIS * 60);
        QueuedInput next = wait <= 0 ? inputs.poll() : inputs.poll(wait, TimeUnit.MILLISECONDS);
        if (next == null) {
            if (!paused) {
                decide(new Input.Tick());
            }
        } else if (next.connection() == connection) {
            handle(next);
        }
    }

    private void handle(QueuedInput next) throws InterruptedException {
        GatewayPayload payload = next.payload();
        if (payload == null) {
            if (next.input() != null) {
                decide(next.input());
            }
            return;
        }
        latest = payload;
        if (payload.isEvent() && !payload.type().equals("READY")) {
            Runnable safe = sequence.begin(payload.number());
            if (payload.input().isPresent()) {
                safe.run();
            } else {
                listener.onEvent(payload.type(), payload.data(), safe);
            }
        }
        payload.input().ifPresent(this::decide);
    }

    private void decide(Input input) {
        GatewayMachine.Step step = GatewayMachine.decide(
                state, input, now(), ThreadLocalRandom.current().nextDouble());
        state = step.state();
        step.effects().forEach(this::execute);
    }

    private void locate() {
        disconnect(); // a late end of the connection before would be taken for that of the next one
        inputs.add(new QueuedInput(connection, null, address()));
    }

    private void execute(Effect effect) {
        switch (effect) {
            case Effect.Locate _ -> locate();
            case Effect.Open open -> open(open.url());
            case Effect.Close _ -> disconnect();
            case Effect.Identify _ -> send(GatewayPayload.identify(api.token(), intents));
            case Effect.Resume resume -> send(GatewayPayload.resume(api.token(), resume.session(), sequence.safe()));
            case Effect.Heartbeat _ -> send(GatewayPayload.heartbeat(sequence.safe()));
            case Effect.Begin _ -> begin();
            case Effect.Works _ -> status.onAccepted();
            case Effect.Problem wrong -> status.onStopped(wrong.reason());
            case Effect.Note note ->
                LOG.atInfo()
                        .addKeyValue("bot", bot)
                        .addKeyValue("reason", note.reason())
                        .log("gateway reconnecting");
        }
    }

    private void begin() {
        sequence.restart();
        if (latest != null) {
            sequence.begin(latest.number()).run();
            listener.onSession(latest.data());
        }
    }

    private Input address() {
        try {
            JsonNode answer = api.get("/gateway/bot");
            JsonNode limit = answer.path("session_start_limit");
            return new Input.Address(
                    answer.path("url").asText(),
                    limit.path("remaining").asInt(1),
                    Duration.ofMillis(limit.path("reset_after").asLong(0)));
        } catch (DiscordException e) {
            boolean revoked = e.status() == 401;
            String reason = revoked
                    ? "Discord rejects its token, which was reset or mistyped: " + e.getMessage()
                    : "the gateway's address: " + e.getMessage();
            return new Input.NoAddress(reason, revoked, e.retryAfter());
        } catch (IllegalStateException e) { // the token is missing
            return new Input.NoAddress("its token: " + e.getMessage(), true, null);
        } catch (InterruptedException e) {
            closed = true;
            return new Input.NoAddress("closed", false, null);
        }
    }

    private void open(String url) {
        disconnect();
        int number = connection;
        try {
            socket = api.open(url, new Events(number));
        } catch (IllegalArgumentException e) {
            status.onStopped(String.valueOf(e.getMessage()));
            inputs.add(new QueuedInput(number, null, new Input.Closed(Input.NONE, null)));
        }
    }

    /** Queues the input of one connection. */
    private final class Events extends WebSocketListener {
        private final int number;

        Events(int number) {
            this.number = number;
        }

        @Override
        public void onMessage(WebSocket from, String text) {
            try {
                inputs.add(new QueuedInput(number, GatewayPayload.read(text), null));
            } catch (IllegalArgumentException e) { // its cause quotes the payload
                LOG.atWarn()
                        .addKeyValue("bot", bot)
                        .addKeyValue("characters", text.length())
                        .addKeyValue("reason", e.getMessage())
                        .log("unreadable gateway payload skipped");
            }
        }

        @Override
        public void onClosing(WebSocket from, int code, String reason) {
            from.close(RESUMABLE, null);
            inputs.add(new QueuedInput(number, null, new Input.Closed(code, null)));
        }

        @Override
        public void onFailure(WebSocket from, Throwable cause, @Nullable Response response) {
            inputs.add(new QueuedInput(number, null, new Input.Closed(Input.NONE, cause.toString())));
        }
    }

    private void send(String text) {
        if (socket != null) {
            socket.send(text);
        }
    }

    private void disconnect() {
        connection++;
        if (socket != null) {
            socket.cancel(); // without a close frame: the session can be resumed
            socket = null;
        }
    }

    /** Events that are not durable are fetched by the next owner of the bot. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt(); // it disconnects
    }
}
