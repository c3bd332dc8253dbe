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

/** A session as its committed steps, and those that may still be lost, have made it. */
final class SimulatedSession {
    private final StoredSession stored;
    private final Map<UUID, Set<String>> questions = new HashMap<>();
    private final List<Effect> effects = new ArrayList<>();

    /**
     * Something that happened to a session, with all that was known at the time: the same step has the same result whenever it is made.
     *
     * @param question what an answer answers; null where it is none, or one of the machine's own
     */
    record Step(RecordKey key, TurnInput input, @Nullable String question, Instant now, Definitions definitions) {}

    SimulatedSession(RecordKey key) {
        stored = new StoredSession(key);
    }

    /** The session that these steps make. */
    static SimulatedSession of(RecordKey key, List<Step> steps) {
        var session = new SimulatedSession(key);
        steps.forEach(session::take);
        return session;
    }

    TurnDecision take(Step step) {
        TurnDecision decisions = stored.decide(step.input(), step.now(), step.definitions());
        if (step.question() != null && !decisions.events().isEmpty() && isAnswer(step.input())) {
            Set<String> asked = questions.getOrDefault(((CallResult) step.input()).callId(), Set.of());
            assertTrue(
                    asked.contains(step.question()),
                    () -> "an answer to another question was taken: " + step.input() + "\n asked " + asked
                            + "\n answered " + step.question());
        }
        for (Effect effect : decisions.effects()) {
            switch (effect) {
                case Effect.RequestModel ask -> asked(ask.callId(), question(ask));
                case Effect.RequestTool ask -> asked(ask.request().callId(), question(ask.request()));
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

    private void asked(UUID callId, String question) {
        questions.computeIfAbsent(callId, _ -> new HashSet<>()).add(question);
    }

    /** What a model is asked. */
    String question(Effect.RequestModel ask) {
        var shown = stored.entries().subMap(ask.from(), ask.to()).values().stream()
                .map(Entry::message)
                .toList();
        return ask.purpose() + " " + ask.summary() + " " + shown + " " + ask.more();
    }

    /** What a tool is asked. */
    static String question(ToolRequest request) {
        return request.name() + " " + request.version() + " " + request.arguments();
    }

    StoredSession stored() {
        return stored;
    }

    SessionState state() {
        return stored.state();
    }

    /** All that its steps have wanted. */
    List<Effect> effects() {
        return effects;
    }
}
