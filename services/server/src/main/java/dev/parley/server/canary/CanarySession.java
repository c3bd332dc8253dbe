package dev.parley.server.canary;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.clock.Deadline;
import dev.parley.server.canary.CanaryClient.Answer;
import dev.parley.server.canary.SessionCheck.Sent;
import dev.parley.server.client.ApiClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A session of a canary, with the messages that it sent. */
final class CanarySession {
    private static final int PAGE = 100;

    private final CanaryPlan plan;
    private final RetryingClient api;
    private final String key = "canary:" + UUID.randomUUID();
    private final List<Sent> sent = new ArrayList<>();
    private final Map<String, Result> results = new HashMap<>();

    CanarySession(CanaryPlan plan, RetryingClient api) {
        this.plan = plan;
        this.api = api;
    }

    String key() {
        return key;
    }

    String path() {
        String base = plan.project() == null ? "/v1" : "/v1/projects/" + ApiClient.encode(plan.project());
        return base + "/sessions/" + ApiClient.encode(key);
    }

    void add(CanaryTurn.Done done) {
        sent.add(done.sent());
        results.put(done.sent().nonce(), done.result());
    }

    /**
     * Whether the next turn needs a new session: this one has enough turns, or a fault that may affect later
     * turns.
     */
    boolean isFull() {
        return sent.size() >= plan.turnsPerSession() || !isClean();
    }

    boolean isNew() {
        return sent.isEmpty();
    }

    boolean isClean() {
        return results.values().stream().allMatch(result -> result == Result.ANSWERED);
    }

    /** Checks the whole session; returns new findings. */
    List<CanaryFinding> check() throws InterruptedException {
        if (sent.stream().allMatch(message -> message.turn() == null)) {
            return List.of();
        }
        Deadline deadline = Deadline.in(plan.within());
        List<ObservedSession.Turn> turns = readAll("/turns", ObservedSession.Turn::of, deadline);
        List<ObservedSession.Message> messages = readAll("/messages", ObservedSession.Message::of, deadline);
        if (turns == null || messages == null) {
            return List.of(new CanaryFinding(Result.LOST, "", "session %s cannot be read".formatted(key)));
        }
        return SessionCheck.filterUnreported(results, SessionCheck.checkSession(sent, turns, messages));
    }

    private <T> @Nullable List<T> readAll(String list, Function<JsonNode, T> row, Deadline deadline)
            throws InterruptedException {
        var items = new ArrayList<T>();
        @Nullable String cursor = "";
        do {
            String path = path() + list + "?limit=" + PAGE + cursor;
            Optional<Answer> page =
                    api.send(deadline, (client, timeout) -> client.get(path, timeout), Answer::isSuccess);
            if (page.isEmpty()) {
                return null;
            }
            items.addAll(CanaryTurn.rows(page.get(), row));
            cursor = page.get().nextPage();
        } while (cursor != null);
        return items;
    }

    /** Requests the erasure of the session, without waiting for its end. */
    void erase() throws InterruptedException {
        if (!plan.keep()) {
            var _ = api.send(
                    Deadline.in(Duration.ofSeconds(10)),
                    (client, timeout) -> client.post(path() + "/erase", "{}", null, timeout));
        }
    }
}
