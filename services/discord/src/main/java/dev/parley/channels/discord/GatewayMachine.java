package dev.parley.channels.discord;

import dev.parley.channels.discord.GatewayMachine.Effect.Begin;
import dev.parley.channels.discord.GatewayMachine.Effect.Close;
import dev.parley.channels.discord.GatewayMachine.Effect.Heartbeat;
import dev.parley.channels.discord.GatewayMachine.Effect.Identify;
import dev.parley.channels.discord.GatewayMachine.Effect.Locate;
import dev.parley.channels.discord.GatewayMachine.Effect.Note;
import dev.parley.channels.discord.GatewayMachine.Effect.Open;
import dev.parley.channels.discord.GatewayMachine.Effect.Problem;
import dev.parley.channels.discord.GatewayMachine.Effect.Resume;
import dev.parley.channels.discord.GatewayMachine.Effect.Works;
import dev.parley.channels.discord.GatewayMachine.State.Connecting;
import dev.parley.channels.discord.GatewayMachine.State.Disconnected;
import dev.parley.channels.discord.GatewayMachine.State.Identifying;
import dev.parley.channels.discord.GatewayMachine.State.Locating;
import dev.parley.channels.discord.GatewayMachine.State.Online;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of a bot's connection to Discord's gateway. Pure: the time (milliseconds that only grow) and chance (0 to 1) are
 * arguments.
 *
 * <pre>
 *            due, no session             address               HELLO
 *   Disconnected ──────────────► Locating ─────────► Connecting ─────────► Identifying ──► Online
 *      ▲  └───────── due, with a session: RESUME ────────►          IDENTIFY │ RESUME       │
 *      └── closed, silent, a heartbeat without its answer, RECONNECT, INVALID_SESSION ──────┘
 * </pre>
 *
 * @see <a href="https://docs.discord.com/developers/events/gateway">its reference</a>
 */
final class GatewayMachine {
    private static final Duration HELLO_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration IDENTIFY_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(60);
    private static final Duration UNKNOWN_TOKEN = Duration.ofSeconds(30);
    /** Each attempt costs one of 1,000 sessions per day. */
    private static final Duration REFUSED = Duration.ofMinutes(2);

    private static final Duration OVERLOADED = Duration.ofSeconds(5);
    /** Attempts to resume before a new session is started. */
    private static final int RESUMES = 3;

    private GatewayMachine() {}

    /** The state needed to resume. */
    record Session(String id, String url) {}

    /**
     * Heartbeats of a connection.
     *
     * @param next time of the next one
     * @param answered whether the last one was acknowledged
     */
    record HeartbeatTimer(long interval, long next, boolean answered) {}

    /** State of a connection. */
    sealed interface State {
        /** Time of the next tick. */
        long wake();

        /**
         * Disconnected until {@code wake}.
         *
         * @param failures consecutive failures
         */
        record Disconnected(
                long wake, int failures, @Nullable Session session) implements State {}

        /** Fetching the URL of the gateway. */
        record Locating(int failures) implements State {
            @Override
            public long wake() {
                return Long.MAX_VALUE; // the call has a time-out of its own
            }
        }

        /** Connecting, before HELLO. */
        record Connecting(long wake, int failures, @Nullable Session session) implements State {}

        /**
         * Identifying or resuming.
         *
         * @param session the session to resume, or null for a new one
         */
        record Identifying(
                HeartbeatTimer timer,
                long until,
                int failures,
                @Nullable Session session) implements State {
            @Override
            public long wake() {
                return Math.min(until, timer.next());
            }
        }

        /** Receiving events. */
        record Online(HeartbeatTimer timer, Session session) implements State {
            @Override
            public long wake() {
                return timer.next();
            }
        }
    }

    /** Input of the machine. */
    sealed interface Input {
        /** Time has passed. */
        record Tick() implements Input {}

        /**
         * The URL of the gateway.
         *
         * @param left sessions that may be started until {@code reset} has passed
         */
        record Address(String url, int left, Duration reset) implements Input {}

        /**
         * The URL could not be fetched.
         *
         * @param revoked whether the token was rejected
         */
        record NoAddress(
                String reason, boolean revoked, @Nullable Duration retryAfter) implements Input {}

        record Hello(long interval) implements Input {}

        record Ready(Session session) implements Input {}

        /** RESUMED: all missed events were received. */
        record Resumed() implements Input {}

        /** Discord requests a heartbeat. */
        record HeartbeatRequested() implements Input {}

        /** Discord acknowledged the last heartbeat. */
        record HeartbeatAcknowledged() implements Input {}

        record Reconnect() implements Input {}

        /** INVALID_SESSION. */
        record Invalid(boolean resumable) implements Input {}

        /**
         * The connection was closed.
         *
         * @param code Discord's, or {@link #NONE}
         * @param failure of a broken connection, or null
         */
        record Closed(int code, @Nullable String failure) implements Input {}

        /** More events than can be handled. */
        record Overloaded() implements Input {}

        /** A broken connection. */
        int NONE = 0;
    }

    /** Effect of a transition. */
    sealed interface Effect {
        /** Fetches the URL of the gateway and the session limit. */
        record Locate() implements Effect {}

        record Open(String url) implements Effect {}

        /** Closes the connection so that its session can be resumed. */
        record Close() implements Effect {}

        record Identify() implements Effect {}

        record Resume(Session session) implements Effect {}

        record Heartbeat() implements Effect {}

        /** A new session begins: earlier events were missed. */
        record Begin() implements Effect {}

        /** The bot works. */
        record Works() implements Effect {}

        /** An operator has to act. */
        record Problem(String reason) implements Effect {}

        /** For the log. */
        record Note(String reason) implements Effect {}
    }

    /** The next state and its effects. */
    record Step(State state, List<Effect> effects) {
        Step(State state, Effect... effects) {
            this(state, List.of(effects));
        }
    }

    static State begin(long now) {
        return new Disconnected(now, 0, null);
    }

    /** The transition for an input; irrelevant inputs change nothing. */
    static Step decide(State state, Input input, long now, double chance) {
        return switch (state) {
            case Disconnected disconnected -> disconnected(disconnected, input, now);
            case Locating locating -> locating(locating, input, now, chance);
            case Connecting connecting -> connecting(connecting, input, now, chance);
            case Identifying identifying -> identifying(identifying, input, now, chance);
            case Online online -> online(online, input, now, chance);
        };
    }

    private static Step disconnected(Disconnected state, Input input, long now) {
        if (!(input instanceof Input.Tick) || now < state.wake()) {
            return new Step(state);
        }
        Session session = state.session();
        return session == null
                ? new Step(new Locating(state.failures()), new Locate())
                : new Step(
                        new Connecting(now + HELLO_TIMEOUT.toMillis(), state.failures(), session),
                        new Open(url(session.url())));
    }

    private static Step locating(Locating state, Input input, long now, double chance) {
        return switch (input) {
            case Input.Address address
            when address.left() <= 0 ->
                new Step(
                        new Disconnected(now + Math.max(1_000, address.reset().toMillis()), state.failures(), null),
                        new Note("no more sessions may be started for " + address.reset()));
            case Input.Address address ->
                new Step(
                        new Connecting(now + HELLO_TIMEOUT.toMillis(), state.failures(), null),
                        new Open(url(address.url())));
            case Input.NoAddress none -> onNoAddress(none, state.failures(), now, chance);
            case Input.Closed closed -> onClosed(closed, state.failures(), null, now, chance);
            default -> new Step(state);
        };
    }

    private static Step onNoAddress(Input.NoAddress none, int failures, long now, double chance) {
        if (none.revoked()) {
            return new Step(
                    new Disconnected(now + UNKNOWN_TOKEN.toMillis(), failures, null), new Problem(none.reason()));
        }
        Duration retryAfter = none.retryAfter();
        long wait = retryAfter == null ? backoffMillis(failures, chance) : retryAfter.toMillis();
        return new Step(new Disconnected(now + wait, failures + 1, null), new Note(none.reason()));
    }

    private static Step connecting(Connecting state, Input input, long now, double chance) {
        return switch (input) {
            case Input.Hello hello -> {
                long interval = Math.max(1, hello.interval());
                var timer = new HeartbeatTimer(interval, now + (long) (interval * chance), true);
                Session session = state.session();
                yield new Step(
                        new Identifying(timer, now + IDENTIFY_TIMEOUT.toMillis(), state.failures(), session),
                        session == null ? new Identify() : new Resume(session));
            }
            case Input.Tick _
            when now >= state.wake() ->
                onConnectionLost("no HELLO from the gateway", state.failures(), state.session(), now, chance);
            case Input.Closed closed -> onClosed(closed, state.failures(), state.session(), now, chance);
            default -> new Step(state);
        };
    }

    private static Step identifying(Identifying state, Input input, long now, double chance) {
        Session session = state.session();
        return switch (input) {
            case Input.Ready ready -> new Step(new Online(state.timer(), ready.session()), new Works(), new Begin());
            case Input.Resumed _ when session != null -> new Step(new Online(state.timer(), session), new Works());
            case Input.Invalid invalid ->
                onInvalidSession(invalid.resumable() ? session : null, state.failures(), now, chance);
            case Input.Closed closed -> onClosed(closed, state.failures(), session, now, chance);
            case Input.Tick _
            when now >= state.until() ->
                onConnectionLost("the gateway does not accept the session", state.failures(), session, now, chance);
            case Input.Reconnect _ ->
                onConnectionLost("the gateway requests a reconnect", state.failures(), session, now, chance);
            case Input.Overloaded _ -> onOverloaded(session, now);
            default -> onHeartbeat(state, input, now, chance);
        };
    }

    private static Step onHeartbeat(Identifying state, Input input, long now, double chance) {
        Session session = state.session();
        return heartbeat(state.timer(), input, now)
                .map(beat -> new Step(
                        new Identifying(beat.timer(), state.until(), state.failures(), session), beat.effects()))
                .orElseGet(
                        () -> onConnectionLost("heartbeat not acknowledged", state.failures(), session, now, chance));
    }

    private static Step online(Online state, Input input, long now, double chance) {
        Session session = state.session();
        return switch (input) {
            case Input.Reconnect _ -> onConnectionLost("the gateway requests a reconnect", 0, session, now, chance);
            case Input.Invalid invalid -> onInvalidSession(invalid.resumable() ? session : null, 0, now, chance);
            case Input.Closed closed -> onClosed(closed, 0, session, now, chance);
            case Input.Overloaded _ -> onOverloaded(session, now);
            default ->
                heartbeat(state.timer(), input, now)
                        .map(beat -> new Step(new Online(beat.timer(), session), beat.effects()))
                        .orElseGet(() -> onConnectionLost("heartbeat not acknowledged", 0, session, now, chance));
        };
    }

    private record Beat(HeartbeatTimer timer, List<Effect> effects) {}

    /** The next heartbeat state; empty where the connection is dead. */
    private static Optional<Beat> heartbeat(HeartbeatTimer timer, Input input, long now) {
        return switch (input) {
            case Input.HeartbeatRequested _ -> Optional.of(new Beat(timer, List.of(new Heartbeat())));
            case Input.HeartbeatAcknowledged _ ->
                Optional.of(new Beat(new HeartbeatTimer(timer.interval(), timer.next(), true), List.of()));
            case Input.Tick _
            when now >= timer.next() ->
                timer.answered()
                        ? Optional.of(new Beat(
                                new HeartbeatTimer(timer.interval(), now + timer.interval(), false),
                                List.of(new Heartbeat())))
                        : Optional.empty();
            default -> Optional.of(new Beat(timer, List.of()));
        };
    }

    private static Step onInvalidSession(@Nullable Session session, int failures, long now, double chance) {
        long wait = 1_000 + (long) (4_000 * chance); // 1 to 5 s, as Discord requires
        return new Step(
                new Disconnected(
                        now + Math.max(wait, failures == 0 ? 0 : backoffMillis(failures, chance)),
                        failures + 1,
                        session),
                new Close(),
                new Note("invalid session"));
    }

    private static Step onOverloaded(@Nullable Session session, long now) {
        return new Step(
                new Disconnected(now + OVERLOADED.toMillis(), 0, session),
                new Close(),
                new Note("too many pending events; they will be resent"));
    }

    private static Step onConnectionLost(
            String reason, int failures, @Nullable Session session, long now, double chance) {
        return new Step(backOff(failures, session, now, chance), new Close(), new Note(reason));
    }

    /** Maps Discord's close codes. */
    private static Step onClosed(
            Input.Closed closed, int failures, @Nullable Session session, long now, double chance) {
        int code = closed.code();
        String problem = problem(code);
        if (problem != null) {
            Duration wait = code == 4004 ? UNKNOWN_TOKEN : REFUSED;
            return new Step(new Disconnected(now + wait.toMillis(), failures + 1, null), new Problem(problem));
        }
        boolean sessionExpired = code == 4007 || code == 4009;
        return new Step(
                backOff(failures, sessionExpired ? null : session, now, chance),
                new Note("the gateway's connection ended"
                        + (code == Input.NONE ? "" : " with code " + code)
                        + (closed.failure() == null ? "" : ": " + closed.failure())));
    }

    /** What an operator has to solve, or null. */
    private static @Nullable String problem(int code) {
        return switch (code) {
            case 4004 -> "Discord rejects its token, which was reset or mistyped";
            case 4010, 4011 -> "Discord requires sharding, which Parley does not support";
            case 4012 -> "Discord no longer supports this gateway version";
            case 4013, 4014 ->
                "Discord rejects its intents: enable \"Message Content Intent\" on the page Bot of the developer portal, or set groups to mention";
            default -> null;
        };
    }

    private static Disconnected backOff(int failures, @Nullable Session session, long now, double chance) {
        return new Disconnected(
                now + backoffMillis(failures, chance), failures + 1, failures < RESUMES ? session : null);
    }

    /** Milliseconds until the next attempt. */
    private static long backoffMillis(int failures, double chance) {
        long limit = Math.min(MAX_BACKOFF.toMillis(), 1_000L << Math.min(failures, 6));
        return (long) (limit * (0.5 + chance / 2));
    }

    private static String url(String base) {
        return base.replaceAll("/+$", "") + "/?v=10&encoding=json";
    }
}
