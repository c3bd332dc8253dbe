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

/** A bot's connection to Discord's gateway: what {@link GatewayMachine} decides, done by one thread. */
final class Gateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
    /** Not 1000 or 1001, which end the session. */
    private static final int RESUMABLE = 4_000;

    private static final long POLL_MILLIS = 1_000;
    /** Events that are not safe. More than that come again later. */
    private static final int MOST_WAITING = 2_000;

    private final String bot;
    private final DiscordApi api;
    private final int intents;
    private final SafeSequence sequence;
    private final Listener listener;
    private final ReceiverStatus status;
    private final BlockingQueue<Happened> happened = new LinkedBlockingQueue<>();
    private final Thread thread;
    private final long started = System.nanoTime();
    private State state = GatewayMachine.begin(0);
    private @Nullable WebSocket socket;
    /** Counts connections: what an older one says is of no use. */
    private int connection;

    /** What came last: the greeting, where that is asked for. */
    private @Nullable Payload latest;

    private volatile boolean closed;

    /** Who is told what happens. */
    interface Listener {
        /** A new session begins, and nothing is known of what happened before it. @param ready what Discord says of the bot */
        void began(JsonNode ready);

        /** Something happened. Returns soon. @param safe to be run when it need not come again */
        void happened(String type, JsonNode data, Runnable safe);

        /** Whether nothing waits. */
        boolean isIdle();

        /** What waits comes again: it may be forgotten. */
        void forget();
    }

    private record Happened(
            int connection,
            @Nullable Payload payload,
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

    /** Why nothing comes until an operator does something. */
    Optional<String> problem() {
        return status.problem();
    }

    /** Milliseconds since it was made. */
    private long now() {
        return (System.nanoTime() - started) / 1_000_000;
    }

    private void run() {
        boolean full = false;
        while (!closed) {
            try {
                full &= !listener.isIdle();
                boolean rests = full && state instanceof State.Resting;
                long wait = rests ? POLL_MILLIS : Math.min(state.wake() - now(), POLL_MILLIS * 60);
                Happened next = wait <= 0 ? happened.poll() : happened.poll(wait, TimeUnit.MILLISECONDS);
                if (next == null) {
                    if (!rests) {
                        decide(new Input.Tick());
                    }
                } else if (next.connection() == connection) {
                    take(next);
                }
                if (!full && socket != null && sequence.waiting() >= MOST_WAITING) {
                    full = true;
                    sequence.forget();
                    listener.forget();
                    decide(new Input.Overloaded());
                }
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                LOG.atError().addKeyValue("bot", bot).setCause(e).log("gateway failed; reconnecting");
                decide(new Input.Closed(Input.NONE));
                disconnect();
            }
        }
    }

    private void take(Happened next) throws InterruptedException {
        Payload payload = next.payload();
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
                listener.happened(payload.type(), payload.data(), safe);
            }
        }
        payload.input().ifPresent(this::decide);
    }

    private void decide(Input input) {
        GatewayMachine.Step step = GatewayMachine.decide(
                state, input, now(), ThreadLocalRandom.current().nextDouble());
        state = step.state();
        step.effects().forEach(this::carryOut);
    }

    private void carryOut(Effect effect) {
        switch (effect) {
            case Effect.Ask _ -> happened.add(new Happened(connection, null, address()));
            case Effect.Open open -> open(open.url());
            case Effect.Close _ -> disconnect();
            case Effect.Identify _ -> send(Payload.identify(api.token(), intents));
            case Effect.Resume resume -> send(Payload.resume(api.token(), resume.session(), sequence.safe()));
            case Effect.Heartbeat _ -> send(Payload.heartbeat(sequence.safe()));
            case Effect.Begin _ -> begin();
            case Effect.Works _ -> status.works();
            case Effect.Problem wrong -> status.stopped(wrong.why());
            case Effect.Note note ->
                LOG.atInfo()
                        .addKeyValue("bot", bot)
                        .addKeyValue("why", note.why())
                        .log("gateway reconnects");
        }
    }

    private void begin() {
        sequence.restart();
        if (latest != null) {
            sequence.begin(latest.number()).run();
            listener.began(latest.data());
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
            String why = revoked
                    ? "Discord rejects its token, which was reset or mistyped: " + e.getMessage()
                    : "the gateway's address: " + e.getMessage();
            return new Input.NoAddress(why, revoked, e.retryAfter());
        } catch (IllegalStateException e) { // the token is not there
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
            status.stopped(String.valueOf(e.getMessage()));
            happened.add(new Happened(number, null, new Input.Closed(Input.NONE)));
        }
    }

    /** Queues what one connection brings. */
    private final class Events extends WebSocketListener {
        private final int number;

        Events(int number) {
            this.number = number;
        }

        @Override
        public void onMessage(WebSocket from, String text) {
            try {
                happened.add(new Happened(number, Payload.read(text), null));
            } catch (IllegalArgumentException e) {
                LOG.atWarn().addKeyValue("bot", bot).log("unreadable gateway payload skipped");
            }
        }

        @Override
        public void onClosing(WebSocket from, int code, String reason) {
            from.close(RESUMABLE, null);
            happened.add(new Happened(number, null, new Input.Closed(code)));
        }

        @Override
        public void onFailure(WebSocket from, Throwable cause, @Nullable Response response) {
            happened.add(new Happened(number, null, new Input.Closed(Input.NONE)));
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
            socket.cancel(); // without a word, which a dead one would not hear: the session can be resumed
            socket = null;
        }
    }

    /** What was not safe is fetched by whoever has the bot next. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        WebSocket open = socket;
        if (open != null) {
            open.cancel();
        }
    }
}
