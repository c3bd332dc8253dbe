package dev.parley.channels.protocols;

import dev.parley.domain.protocol.PendingApproval;
import dev.parley.domain.protocol.TurnDelta;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a turn waits for people to answer, as its deltas tell. For one thread. */
public final class OpenQuestions {
    /** Calls of one answer begin one after the other: how long after a question another one may come. */
    private static final Duration TOGETHER = Duration.ofMillis(300);
    /** The same while other calls run. */
    private static final Duration MEANWHILE = Duration.ofSeconds(2);

    private final Map<String, Call> calls = new LinkedHashMap<>();
    private final Map<String, Question> questions = new LinkedHashMap<>();
    private final Set<String> answered = new HashSet<>();

    private record Call(int step, String id, @Nullable String tool) {}

    /**
     * A question whether a tool may be called.
     *
     * @param id of the question
     * @param text for people
     * @param step the model call that the tool call belongs to
     * @param call the model's id for the tool call; null where that is not known
     */
    public record Question(
            String id,
            String text,
            int step,
            @Nullable String tool,
            @Nullable String call) {}

    /** Takes what happened in the turn. */
    public void hear(TurnDelta delta) {
        String id = delta.toolCallId();
        switch (delta.kind()) {
            case TOOL_CALL -> {
                if (id != null) {
                    calls.put(id, new Call(delta.step(), id, delta.toolName()));
                }
            }
            case APPROVAL -> {
                if (id != null && !answered.contains(id)) {
                    questions.put(id, new Question(id, delta.text(), delta.step(), delta.toolName(), call(delta)));
                }
            }
            case TOOL_RESULT -> {
                calls.remove(String.valueOf(id));
                questions.values().removeIf(question -> Objects.equals(question.call(), id));
            }
            case DONE, ERROR -> {
                calls.clear();
                questions.clear();
            }
            case STARTED, TOKEN, REASONING, TOOL_ARGUMENTS, MESSAGE, PROGRESS, CALLER_CALL, RETRY -> {}
        }
    }

    /** Adds approvals that the session says are pending: their deltas may have come before this instance was there. */
    public void add(List<PendingApproval> pending) {
        for (PendingApproval approval : pending) {
            String id = approval.approvalId().toString();
            if (!answered.contains(id) && !questions.containsKey(id)) {
                calls.put(approval.toolCallId(), new Call(approval.step(), approval.toolCallId(), approval.tool()));
                questions.put(
                        id, new Question(id, approval.text(), approval.step(), approval.tool(), approval.toolCallId()));
            }
        }
    }

    /** A question says for which tool it is; calls of one tool are asked about in their order. */
    private @Nullable String call(TurnDelta question) {
        Set<@Nullable String> taken = new HashSet<>();
        questions.values().forEach(other -> taken.add(other.call()));
        return calls.values().stream()
                .filter(call -> Objects.equals(call.tool(), question.toolName()) && !taken.contains(call.id()))
                .map(Call::id)
                .findFirst()
                .orElse(null);
    }

    /** Somebody has answered it: it is open no more, also where its delta is heard once more. */
    public void answered(String id) {
        answered.add(id);
        questions.remove(id);
    }

    /** Those that nobody has answered, in order. */
    public List<Question> open() {
        return new ArrayList<>(questions.values());
    }

    /** How long nothing has to be heard until the turn does nothing but wait for answers; empty where nothing is asked. */
    public Optional<Duration> patience() {
        if (questions.isEmpty()) {
            return Optional.empty();
        }
        long asked =
                questions.values().stream().filter(one -> one.call() != null).count();
        return Optional.of(calls.size() > asked ? MEANWHILE : TOGETHER);
    }
}
