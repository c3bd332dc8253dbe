package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.TurnInput;
import dev.parley.domain.session.SessionState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The result of a session's committed steps and of those that may still be lost. */
final class SimulatedSession {
    private final StoredSession stored;
    private final Map<UUID, Set<String>> questions = new HashMap<>();
    private final List<TurnEffect> effects = new ArrayList<>();

    /**
     * An input of a session with its context. A step always has the same result.
     *
     * @param question the question of an answer; null for other inputs and internal answers
     */
    record Step(RecordKey key, TurnInput input, @Nullable String question, Instant now, Definitions definitions) {}

    SimulatedSession(RecordKey key) {
        stored = new StoredSession(key);
    }

    /** The session that results from these steps. */
    static SimulatedSession of(RecordKey key, List<Step> steps) {
        var session = new SimulatedSession(key);
        steps.forEach(session::take);
        return session;
    }

    TurnDecision take(Step step) {
        TurnDecision decisions = stored.decide(step.input(), step.now(), step.definitions());
        if (step.question() != null && !decisions.events().isEmpty() && isAnswer(step.input())) {
            Set<String> requested = questions.getOrDefault(((CallResult) step.input()).callId(), Set.of());
            assertTrue(
                    requested.contains(step.question()),
                    () -> "an answer to another question was taken: " + step.input() + "\n asked " + requested
                            + "\n answered " + step.question());
        }
        for (TurnEffect effect : decisions.effects()) {
            switch (effect) {
                case TurnEffect.RequestModel call -> recordQuestion(call.callId(), question(call));
                case TurnEffect.RequestTool call ->
                    recordQuestion(call.request().callId(), question(call.request()));
                default -> {}
            }
        }
        effects.addAll(decisions.effects());
        return decisions;
    }

    private static boolean isAnswer(TurnInput input) {
        return input instanceof CallResult.ModelAnswered
                || input instanceof CallResult.ModelFailed
                || input instanceof CallResult.ToolAnswered;
    }

    private void recordQuestion(UUID callId, String question) {
        questions.computeIfAbsent(callId, _ -> new HashSet<>()).add(question);
    }

    /** The contents of a model call. */
    String question(TurnEffect.RequestModel request) {
        var messages = stored.entries().subMap(request.from(), request.to()).values().stream()
                .map(Entry::message)
                .toList();
        return request.purpose() + " " + request.summary() + " " + messages + " " + request.more();
    }

    /** The contents of a tool call. */
    static String question(ToolRequest request) {
        return request.name() + " " + request.version() + " " + request.arguments();
    }

    StoredSession stored() {
        return stored;
    }

    SessionState state() {
        return stored.state();
    }

    /** All effects of its steps. */
    List<TurnEffect> effects() {
        return effects;
    }
}
