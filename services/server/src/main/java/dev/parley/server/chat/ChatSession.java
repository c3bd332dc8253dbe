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

/** One session: says something and follows the turn to its end, also when the server is started anew meanwhile. */
final class ChatSession {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Set<String> FINAL = Set.of("COMPLETED", "FAILED", "CANCELLED");

    private final ChatClient client;
    private final Consumer<String> notes;
    private String session;
    private @Nullable String agent;

    /** @param notes is told what keeps it waiting */
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
        JsonNode turn = patiently(false, () -> client.say(session, body, reference));
        var follow = new Follow(turn.path("id").asText(), show);
        return patiently(true, follow::toTheEnd);
    }

    @FunctionalInterface
    private interface Call<T> {
        /** @return null to be called again */
        @Nullable
        T run() throws IOException, InterruptedException;
    }

    /** Repeats a call while the server is away for a moment; the first call of all has to reach it. */
    private <T> T patiently(boolean reached, Call<T> call) throws InterruptedException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        boolean told = false;
        while (true) {
            try {
                T value = call.run();
                if (value != null) {
                    return value;
                }
                until = System.nanoTime() + PATIENCE.toNanos();
            } catch (IOException e) {
                boolean refused = !reached && e instanceof java.net.ConnectException;
                if (refused || System.nanoTime() > until) {
                    throw client.unreachable(e);
                }
                told = told || tell("… the connection broke; waiting for the server");
                client.refresh();
            } catch (ChatException e) {
                if (e.status() != 503 || System.nanoTime() > until) {
                    throw e;
                }
                told = told || tell("… the server takes no messages now; trying again");
            }
            Thread.sleep(PAUSE);
        }
    }

    private boolean tell(String note) {
        notes.accept(note);
        return true;
    }

    /** Follows one turn over as many connections as it takes. */
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

        /** The stream ended and the turn did not: perhaps its last event was lost, so it is looked up. */
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

    /** Answers whether a tool call may be carried out: {@code once}, {@code session} or {@code reject}. */
    void decide(String approval, String answer) throws IOException, InterruptedException {
        client.post(ChatClient.path(session, "/approvals/" + approval), Map.of("answer", answer));
    }

    /** Stops what runs. */
    void stop() throws IOException, InterruptedException {
        client.delete(ChatClient.path(session, "/run"));
    }

    /** Changes the context: {@code new}, {@code clear}. */
    void reset(String kind) throws IOException, InterruptedException {
        client.post(ChatClient.path(session, "/context"), Map.of("reset", kind));
    }

    /** Takes the last turn back with its files: {@code revert}; or brings all of it back: {@code unrevert}. @return what became of it */
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
