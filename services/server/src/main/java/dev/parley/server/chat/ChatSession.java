package dev.parley.server.chat;

import static dev.parley.platform.api.ApiRequest.encode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.parley.server.chat.ChatClient.Event;
import dev.parley.server.client.CommandException;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A session of the chat: submits a turn and follows it to its end, across restarts of the server. */
final class ChatSession {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration RETRY_DELAY = Duration.ofMillis(500);
    private static final Set<String> FINAL = Set.of("COMPLETED", "FAILED", "CANCELLED");

    private final ChatClient client;
    private final Consumer<String> notes;
    private String session;
    private @Nullable String agent;

    /** @param notes receives the reasons for waiting */
    ChatSession(ChatClient client, String session, @Nullable String agent, Consumer<String> notes) {
        this.client = client;
        this.session = session;
        this.agent = agent;
        this.notes = notes;
    }

    String session() {
        return session;
    }

    void session(String key) {
        session = key;
    }

    void agent(@Nullable String name) {
        agent = name;
    }

    /**
     * Submits a message and passes the events of its turn to {@code listener}.
     *
     * @return the state in which the turn ended
     * @throws CommandException when it is refused, or the server stays unreachable
     */
    String send(String text, Consumer<Event> listener) throws InterruptedException {
        var body = new HashMap<String, String>();
        body.put("text", text);
        if (agent != null) {
            body.put("agent", agent);
        }
        String idempotencyKey = UUID.randomUUID().toString();
        JsonNode turn = retrying(false, () -> client.submit(session, body, idempotencyKey));
        var follower = new TurnFollower(turn.path("id").asText(), listener);
        return retrying(true, follower::follow);
    }

    @FunctionalInterface
    private interface Call<T> {
        /** @return null to retry */
        @Nullable
        T run() throws IOException, InterruptedException;
    }

    /** Retries a call while the server is unavailable, for at most 60 s; the first call is not retried. */
    private <T> T retrying(boolean reached, Call<T> call) throws InterruptedException {
        var retries = new RetryLimit(reached);
        while (true) {
            try {
                T value = call.run();
                if (value != null) {
                    return value;
                }
                retries.renew();
            } catch (IOException e) {
                retries.onBroken(e);
                client.refresh();
            } catch (CommandException e) {
                retries.onRefused(e);
            }
            Thread.sleep(RETRY_DELAY);
        }
    }

    /** How long a call is retried, and what the user is told of it, once. */
    private final class RetryLimit {
        private final boolean reached;
        private long deadline = System.nanoTime() + TIMEOUT.toNanos();
        private boolean notified;

        RetryLimit(boolean reached) {
            this.reached = reached;
        }

        void renew() {
            deadline = System.nanoTime() + TIMEOUT.toNanos();
        }

        void onBroken(IOException e) {
            boolean refused = !reached && e instanceof ConnectException;
            if (refused || System.nanoTime() > deadline) {
                throw client.unreachable(e);
            }
            note("… the connection broke; waiting for the server");
        }

        void onRefused(CommandException e) {
            if (e.status() != 503 || System.nanoTime() > deadline) {
                throw e;
            }
            note("… the server takes no messages now; trying again");
        }

        private void note(String text) {
            if (!notified) {
                notified = true;
                notes.accept(text);
            }
        }
    }

    /** Follows a turn, reconnecting as needed. */
    private final class TurnFollower {
        private final String turn;
        private final Consumer<Event> listener;
        private @Nullable String last;
        private @Nullable String state;

        TurnFollower(String turn, Consumer<Event> listener) {
            this.turn = turn;
            this.listener = listener;
        }

        /** @return the state in which the turn ended; null when the stream ended before */
        @Nullable
        String follow() throws IOException, InterruptedException {
            client.events(session, turn, last, this::accept);
            return state == null ? findEnd() : state;
        }

        private boolean accept(Event event) {
            last = event.id().isEmpty() ? last : event.id();
            listener.accept(event);
            if (event.name().equals("done") || event.name().equals("error")) {
                state = event.text("state").isEmpty() ? "FAILED" : event.text("state");
            }
            return state == null;
        }

        /** Reads the turn after a stream without an end event, which may have been lost. */
        private @Nullable String findEnd() throws IOException, InterruptedException {
            JsonNode found;
            try {
                found = client.get("/v1/turns/" + turn);
            } catch (CommandException e) {
                return null;
            }
            String end = found.path("state").asText();
            if (!FINAL.contains(end)) {
                return null;
            }
            boolean failed = end.equals("FAILED");
            JsonNode text = failed ? found.path("error").path("message") : found.path("reply");
            var data = JsonNodeFactory.instance.objectNode().put("state", end).put("text", text.asText());
            listener.accept(new Event(failed ? "error" : "done", "", data));
            return end;
        }
    }

    /** Answers an approval: {@code once}, {@code session} or {@code reject}. */
    void decide(String approval, String answer) throws IOException, InterruptedException {
        client.post(ChatClient.path(session, "/approvals/" + approval), Map.of("answer", answer));
    }

    /** Cancels the running turn, with a reason or an empty text. */
    void stop(String reason) throws IOException, InterruptedException {
        client.delete(ChatClient.path(session, reason.isEmpty() ? "/run" : "/run?reason=" + encode(reason)));
    }

    /** Resets the context: {@code new}, {@code clear}. */
    void reset(String kind) throws IOException, InterruptedException {
        client.post(ChatClient.path(session, "/context"), Map.of("reset", kind));
    }

    /** Reverts the last turn with its files, or undoes that: {@code revert}, {@code unrevert}; returns the result. */
    JsonNode revert(String action) throws IOException, InterruptedException {
        return client.post(ChatClient.path(session, "/" + action), Map.of());
    }

    JsonNode messages() throws IOException, InterruptedException {
        return client.get(ChatClient.path(session, "/messages"));
    }

    JsonNode sessions() throws IOException, InterruptedException {
        return client.get("/v1/sessions");
    }

    JsonNode agents() throws IOException, InterruptedException {
        return client.get("/v1/projects/default/agents?limit=200");
    }
}
