package dev.parley.channels.contract;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * HTTP requests of the other side to bots of a kind: {@code POST /{path}/{bot}}. Any instance with the role
 * {@code channels} takes them, not only the one that owns the bot. Parley authenticates nobody there: the channel
 * checks a signature, and answers a wrong one as it answers a bot that does not exist ({@link #unknown}).
 */
public interface InboundHttp {

    /**
     * The path before the name of the bot: {@code [a-z][a-z0-9/-]{0,60}}. A channel whose path another one has, or that
     * begins as Parley's own routes do, is not available.
     */
    String path();

    /** Media types of the bodies; empty for all. */
    default List<String> mediaTypes() {
        return List.of();
    }

    /** The largest body in bytes, at most 16 MiB. A larger one is answered 413 before it is read. */
    int largestBody();

    /**
     * The receiver of a bot's requests on this instance. It is made once, without waiting, and used by many threads
     * until the bot's settings change.
     */
    Receiver receiver(ChannelBot bot);

    /** Whether the other side verifies the address with a {@code GET}, which {@link Receiver#verify} answers. */
    default boolean isVerified() {
        return false;
    }

    /** Receives the requests to a bot. */
    @FunctionalInterface
    interface Receiver {
        /** Receives a request. Returns within 30 seconds. */
        Answer receive(Request request) throws InterruptedException;

        /**
         * Answers the {@code GET} with which the other side verifies the address.
         *
         * @param query its parameters, the first of several
         */
        default Answer verify(Map<String, String> query) {
            return new Answer.Body(405);
        }
    }

    /** The answer for the name of no bot of this kind. */
    Answer unknown();

    /**
     * A request.
     *
     * @param headers by their names in lower case; the first of several
     * @param client the address of the other side, as trusted proxies report it
     */
    record Request(Map<String, String> headers, byte[] body, String client) {
        /** A header, or null. */
        public @Nullable String header(String name) {
            return headers.get(name.toLowerCase(Locale.ROOT));
        }
    }

    /** An answer. */
    sealed interface Answer {
        /**
         * A body.
         *
         * @param json empty for none
         */
        record Body(int status, String json) implements Answer {
            /** Without a body. */
            public Body(int status) {
                this(status, "");
            }
        }

        /** A plain text, with the status 200. */
        record Text(String text) implements Answer {}

        /**
         * Problem details (RFC 9457).
         *
         * @param code machine-readable
         * @param message a sentence
         */
        record Problem(int status, String code, String message) implements Answer {}

        /**
         * A message or command that was refused, or is not stored: the problem that the HTTP API reports for it, with
         * the wait after which it may be sent again.
         */
        record Untaken(Taken taken) implements Answer {}
    }
}
