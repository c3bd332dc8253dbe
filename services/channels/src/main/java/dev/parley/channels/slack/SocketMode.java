package dev.parley.channels.slack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.channels.chat.ChatQueues;
import dev.parley.channels.contract.Intake.UnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events over a WebSocket that the bot opens, for which no address of Parley has to be public. An envelope is acknowledged when what is in
 * it is safe, and taken in again until then; Slack sends one that was not acknowledged again.
 *
 * @see <a href="https://docs.slack.dev/apis/events-api/using-socket-mode/">Socket Mode</a>
 */
final class SocketMode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SocketMode.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_WAITING = 1_000;
    private static final int MOST_TEXT = 4 << 20;
    private static final int NORMAL = 1_000;
    private static final Duration HELLO = Duration.ofSeconds(15);
    private static final Duration AGAIN = Duration.ofMillis(500);
    private static final Duration MOST_AGAIN = Duration.ofSeconds(10);

    private final String bot;
    private final SlackApi api;
    private final Supplier<String> appToken;
    private final Taking events;
    private final ChatQueues queues = new ChatQueues();
    private volatile boolean closed;
    private @Nullable Socket current;

    /** Takes payloads in. */
    @FunctionalInterface
    interface Taking {
        void take(JsonNode payload) throws UnavailableException, InterruptedException;
    }

    SocketMode(String bot, SlackApi api, Supplier<String> appToken, Taking events) {
        this.bot = bot;
        this.api = api;
        this.appToken = appToken;
        this.events = events;
    }

    /**
     * Opens a connection, after which the one before is closed.
     *
     * @return ends when another one is needed: Slack wants it, or this one is broken
     */
    CompletableFuture<Void> connect() throws SlackApiException, InterruptedException {
        String url = api.call("apps.connections.open", SlackApi.params(), appToken)
                .path("url")
                .asText();
        var next = new Socket();
        WebSocket socket = api.socket(url, next);
        try {
            next.hello.get(HELLO.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            socket.cancel();
            throw new SlackApiException(SlackApiException.NO_ANSWER, "Slack did not say hello: " + e, false, null);
        }
        replace(next, socket);
        return next.over;
    }

    private synchronized void replace(Socket next, WebSocket socket) {
        if (current != null) {
            current.end();
        }
        next.socket = socket;
        current = next;
        if (closed) {
            next.end();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (current != null) {
            current.end();
        }
        queues.close();
    }

    /** One connection. */
    private final class Socket extends WebSocketListener {
        private final CompletableFuture<Void> hello = new CompletableFuture<>();
        private final CompletableFuture<Void> over = new CompletableFuture<>();
        private @Nullable WebSocket socket;

        void end() {
            over.complete(null);
            if (socket != null) {
                socket.close(NORMAL, null);
            }
        }

        @Override
        public void onMessage(WebSocket from, String text) {
            if (text.length() > MOST_TEXT) {
                LOG.atWarn().addKeyValue("bot", bot).log("an envelope is too large, and skipped");
                return;
            }
            try {
                received(from, JSON.readTree(text));
            } catch (JsonProcessingException e) {
                LOG.atWarn().addKeyValue("bot", bot).log("an envelope that is no JSON is skipped");
            }
        }

        private void received(WebSocket from, JsonNode message) {
            switch (message.path("type").asText()) {
                case "hello" -> hello.complete(null);
                case "disconnect" -> {
                    LOG.atDebug()
                            .addKeyValue("bot", bot)
                            .addKeyValue("why", message.path("reason").asText())
                            .log("Slack wants another connection");
                    over.complete(null);
                }
                default -> envelope(from, message);
            }
        }

        private void envelope(WebSocket from, JsonNode envelope) {
            String id = envelope.path("envelope_id").asText();
            if (id.isEmpty()) {
                return;
            }
            JsonNode payload = envelope.path("payload");
            if (queues.waiting() >= MOST_WAITING) {
                LOG.atWarn().addKeyValue("bot", bot).log("too many events wait; Slack sends this one again");
            } else {
                queues.submit(SlackEvents.place(payload), () -> take(from, id, payload));
            }
        }

        private void take(WebSocket from, String id, JsonNode payload) throws InterruptedException {
            Duration wait = AGAIN;
            while (!closed) {
                try {
                    events.take(payload);
                    from.send(JSON.createObjectNode().put("envelope_id", id).toString());
                    return;
                } catch (UnavailableException | RuntimeException e) {
                    LOG.atWarn()
                            .addKeyValue("bot", bot)
                            .addKeyValue("why", e.getMessage())
                            .log("an event could not be taken in; retrying");
                    Thread.sleep(wait);
                    Duration longer = wait.multipliedBy(2);
                    wait = longer.compareTo(MOST_AGAIN) > 0 ? MOST_AGAIN : longer;
                }
            }
        }

        @Override
        public void onClosing(WebSocket from, int code, String reason) {
            from.close(NORMAL, null);
            broken(new IOException("closed: " + code));
        }

        @Override
        public void onFailure(WebSocket from, Throwable why, @Nullable Response response) {
            broken(why);
        }

        private void broken(Throwable why) {
            hello.completeExceptionally(why);
            over.complete(null);
        }
    }
}
