package dev.parley.server.chat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.parley.server.chat.ChatClient.Event;
import java.io.IOException;
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

    /** @param notes receives the reasons of waiting */
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
     * Says something and hands on all that happens.
     *
     * @return the state that the turn ended in
     * @throws ChatException when it was refused, or the server does not come back
     */
    String say(String text, Consumer<Event> show) throws InterruptedException {
        var body = new HashMap<String, String>();
        body.put("text", text);
        if (agent != null) {
            body.put("agent", agent);
        }
        String reference = UUID.randomUUID().toString();
        JsonNode turn = retrying(false, () -> client.say(session, body, reference));
        var follow = new Follow(turn.path("id").asText(), show);
        return retrying(true, follow::toTheEnd);
    }

    @FunctionalInterface
    private interface Call<T> {
        /** @return null to retry */
        @Nullable
        T run() throws IOException, InterruptedException;
    }

    /** Retries a call while the server is unavailable, for at most 60 s; the very first call is not retried. */
    private <T> T retrying(boolean reached, Call<T> call) throws InterruptedException {
        long until = System.nanoTime() + TIMEOUT.toNanos();
        boolean told = false;
        while (true) {
            try {
                T value = call.run();
                if (value != null) {
                    return value;
                }
                until = System.nanoTime() + TIMEOUT.toNanos();
            } catch (IOException e) {
                boolean refused = !reached && e instanceof java.net.ConnectException;
                if (refused || System.nanoTime() > until) {
                    throw client.unreachable(e);
                }
                told = told || notify("… the connection broke; waiting for the server");
                client.refresh();
            } catch (ChatException e) {
                if (e.status() != 503 || System.nanoTime() > until) {
                    throw e;
                }
                told = told || notify("… the server takes no messages now; trying again");
            }
            Thread.sleep(RETRY_DELAY);
        }
    }

    private boolean notify(String note) {
        notes.accept(note);
        return true;
    }

    /** Follows a turn, reconnecting as needed. */
    private final class Follow {
        private final String turn;
        private final Consumer<Event> show;
        private @Nullable String last;
        private @Nullable String state;

        Follow(String turn, Consumer<Event> show) {
            this.turn = turn;
            this.show = show;
        }

        @Nullable
        String toTheEnd() throws IOException, InterruptedException {
            client.events(session, turn, last, this::take);
            return state == null ? ended() : state;
        }

        private boolean take(Event event) {
            last = event.id();
            show.accept(event);
            if (event.name().equals("done") || event.name().equals("error")) {
                state = event.text("state").isEmpty() ? "FAILED" : event.text("state");
            }
            return state == null;
        }

        /** Looks the turn up after a stream without an end event, which may have been lost. */
        private @Nullable String ended() throws IOException, InterruptedException {
            JsonNode found;
            try {
                found = client.get("/v1/turns/" + turn);
            } catch (ChatException e) {
                return null;
            }
            String now = found.path("state").asText();
            if (!FINAL.contains(now)) {
                return null;
            }
            var data = JsonNodeFactory.instance.objectNode().put("state", now);
            data.put(
                    "text",
                    now.equals("FAILED")
                            ? found.path("error").path("message").asText()
                            : found.path("reply").asText());
            show.accept(new Event(now.equals("FAILED") ? "error" : "done", "", data));
            return now;
        }
    }

    /** Answers an approval: {@code once}, {@code session} or {@code reject}. */
    void decide(String approval, String answer) throws IOException, InterruptedException {
        client.post(ChatClient.path(session, "/approvals/" + approval), Map.of("answer", answer));
    }

    /** Cancels the running turn. */
    void stop() throws IOException, InterruptedException {
        client.delete(ChatClient.path(session, "/run"));
    }

    /** Resets the context: {@code new}, {@code clear}. */
    void reset(String kind) throws IOException, InterruptedException {
        client.post(ChatClient.path(session, "/context"), Map.of("reset", kind));
    }

    /** Reverts the last turn with its files, or undoes that: {@code revert}, {@code unrevert}. @return the result */
    JsonNode revert(String way) throws IOException, InterruptedException {
        return client.post(ChatClient.path(session, "/" + way), Map.of());
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
