package dev.parley.channels.slack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.channels.chat.ChatQueues;
import dev.parley.channels.contract.Taken;
import dev.parley.platform.json.ExactJson;
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
 * Events over a WebSocket that the bot opens, without a public URL of Parley. An envelope is acknowledged once its
 * event is durable, and handled again until then; Slack resends unacknowledged ones.
 *
 * @see <a href="https://docs.slack.dev/apis/events-api/using-socket-mode/">Socket Mode</a>
 */
final class SocketMode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SocketMode.class);
    private static final ObjectMapper JSON = ExactJson.request();
    private static final int MAX_PENDING = 1_000;
    private static final int MAX_ENVELOPE = 4 << 20;
    private static final int NORMAL = 1_000;
    private static final Duration HELLO_TIMEOUT = Duration.ofSeconds(15);
    private static final Duration RETRY_DELAY = Duration.ofMillis(500);
    private static final Duration MAX_RETRY_DELAY = Duration.ofSeconds(10);

    private final String bot;
    private final SlackApi api;
    private final Supplier<String> appToken;
    private final PayloadHandler events;
    private final ChatQueues queues = new ChatQueues();
    private volatile boolean closed;
    private @Nullable Socket current;

    /** Handler of payloads. */
    @FunctionalInterface
    interface PayloadHandler {
        Taken handle(JsonNode payload) throws InterruptedException;
    }

    SocketMode(String bot, SlackApi api, Supplier<String> appToken, PayloadHandler events) {
        this.bot = bot;
        this.api = api;
        this.appToken = appToken;
        this.events = events;
    }

    /**
     * Opens a connection, and then closes the previous one.
     *
     * @return completes when another connection is needed: at Slack's request, or because this one broke
     */
    CompletableFuture<Void> connect() throws SlackApiException, InterruptedException {
        String url = api.call("apps.connections.open", SlackApi.params(), appToken)
                .path("url")
                .asText();
        var next = new Socket();
        WebSocket socket = api.socket(url, next);
        try {
            next.hello.get(HELLO_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            socket.cancel();
            throw new SlackApiException(SlackApiException.NO_ANSWER, "Slack did not say hello: " + e, false, null);
        }
        replace(next, socket);
        return next.ended;
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
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
        private @Nullable WebSocket socket;

        void end() {
            ended.complete(null);
            if (socket != null) {
                socket.close(NORMAL, null);
            }
        }

        @Override
        public void onMessage(WebSocket from, String text) {
            if (text.length() > MAX_ENVELOPE) {
                LOG.atWarn().addKeyValue("bot", bot).log("envelope too large; skipped");
                return;
            }
            try {
                dispatch(from, JSON.readTree(text));
            } catch (JsonProcessingException e) {
                LOG.atWarn().addKeyValue("bot", bot).log("envelope is not valid JSON; skipped");
            }
        }

        private void dispatch(WebSocket from, JsonNode message) {
            switch (message.path("type").asText()) {
                case "hello" -> hello.complete(null);
                case "disconnect" -> {
                    LOG.atDebug()
                            .addKeyValue("bot", bot)
                            .addKeyValue("reason", message.path("reason").asText())
                            .log("Slack requests another connection");
                    ended.complete(null);
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
            if (queues.waiting() >= MAX_PENDING) {
                LOG.atWarn().addKeyValue("bot", bot).log("too many pending events; Slack will resend this one");
            } else {
                queues.submit(SlackEvents.chat(payload), () -> handle(from, id, payload));
            }
        }

        private void handle(WebSocket from, String id, JsonNode payload) throws InterruptedException {
            Duration wait = RETRY_DELAY;
            while (!closed) {
                if (attempt(payload) instanceof Taken.NotSafe notSafe) {
                    LOG.atWarn()
                            .addKeyValue("bot", bot)
                            .addKeyValue("reason", notSafe.why())
                            .log("event could not be handled; retrying");
                    Thread.sleep(wait);
                    Duration longer = wait.multipliedBy(2);
                    wait = longer.compareTo(MAX_RETRY_DELAY) > 0 ? MAX_RETRY_DELAY : longer;
                } else {
                    from.send(JSON.createObjectNode().put("envelope_id", id).toString());
                    return;
                }
            }
        }

        private Taken attempt(JsonNode payload) throws InterruptedException {
            try {
                return events.handle(payload);
            } catch (RuntimeException e) {
                return new Taken.NotSafe(String.valueOf(e.getMessage()));
            }
        }

        @Override
        public void onClosing(WebSocket from, int code, String reason) {
            from.close(NORMAL, null);
            fail(new IOException("closed: " + code));
        }

        @Override
        public void onFailure(WebSocket from, Throwable cause, @Nullable Response response) {
            fail(cause);
        }

        private void fail(Throwable cause) {
            hello.completeExceptionally(cause);
            ended.complete(null);
        }
    }
}
