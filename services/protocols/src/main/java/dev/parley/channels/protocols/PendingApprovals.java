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

/** The pending approvals of a turn, according to its deltas. For one thread. */
public final class PendingApprovals {
    /** Time after a request in which another one may follow, because calls of one answer start one after the other. */
    private static final Duration TOGETHER = Duration.ofMillis(300);
    /** Time after a request in which another one may follow while other calls run. */
    private static final Duration MEANWHILE = Duration.ofSeconds(2);

    private final Map<String, Call> calls = new LinkedHashMap<>();
    private final Map<String, Approval> approvals = new LinkedHashMap<>();
    private final Set<String> answered = new HashSet<>();

    private record Call(int step, String id, @Nullable String tool) {}

    /**
     * An approval of a tool call.
     *
     * @param id of the approval
     * @param text for people
     * @param step the model call of the tool call
     * @param call the model's id of the tool call; null where it is unknown
     */
    public record Approval(
            String id,
            String text,
            int step,
            @Nullable String tool,
            @Nullable String call) {}

    /** Applies a delta. */
    public void apply(TurnDelta delta) {
        String id = delta.toolCallId();
        switch (delta.kind()) {
            case TOOL_CALL -> {
                if (id != null) {
                    calls.put(id, new Call(delta.step(), id, delta.toolName()));
                }
            }
            case APPROVAL -> addApproval(id, delta);
            case TOOL_RESULT -> {
                calls.remove(String.valueOf(id));
                approvals.values().removeIf(approval -> Objects.equals(approval.call(), id));
            }
            case DONE, ERROR -> {
                calls.clear();
                approvals.clear();
            }
            case STARTED, TOKEN, REASONING, TOOL_ARGUMENTS, MESSAGE, PROGRESS, CALLER_CALL, RETRY -> {}
        }
    }

    private void addApproval(@Nullable String id, TurnDelta delta) {
        if (id != null && !answered.contains(id)) {
            approvals.put(id, new Approval(id, delta.text(), delta.step(), delta.toolName(), call(delta)));
        }
    }

    /** Adds pending approvals of the session, whose deltas may precede this instance. */
    public void add(List<PendingApproval> pending) {
        for (PendingApproval approval : pending) {
            String id = approval.approvalId().toString();
            if (!answered.contains(id) && !approvals.containsKey(id)) {
                calls.put(approval.toolCallId(), new Call(approval.step(), approval.toolCallId(), approval.tool()));
                approvals.put(
                        id, new Approval(id, approval.text(), approval.step(), approval.tool(), approval.toolCallId()));
            }
        }
    }

    /** An approval names its tool; calls of one tool are asked in order. */
    private @Nullable String call(TurnDelta request) {
        Set<@Nullable String> assigned = new HashSet<>();
        approvals.values().forEach(other -> assigned.add(other.call()));
        return calls.values().stream()
                .filter(call -> Objects.equals(call.tool(), request.toolName()) && !assigned.contains(call.id()))
                .map(Call::id)
                .findFirst()
                .orElse(null);
    }

    /** The approval was answered; a redelivered delta does not reopen it. */
    public void markAnswered(String id) {
        answered.add(id);
        approvals.remove(id);
    }

    /** The unanswered approvals, in order. */
    public List<Approval> open() {
        return new ArrayList<>(approvals.values());
    }

    /** Time without deltas after which the turn only waits for answers; empty without approvals. */
    public Optional<Duration> idleTimeout() {
        if (approvals.isEmpty()) {
            return Optional.empty();
        }
        long withCall = approvals.values().stream()
                .filter(approval -> approval.call() != null)
                .count();
        return Optional.of(calls.size() > withCall ? MEANWHILE : TOGETHER);
    }
}
