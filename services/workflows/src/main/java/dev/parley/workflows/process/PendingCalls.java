package dev.parley.workflows.process;

import dev.parley.domain.Ids;
import dev.parley.domain.ProcessRef;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.domain.workflow.WorkflowCommand.Control;
import dev.parley.domain.workflow.WorkflowCommand.ControlProcess;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.engine.ProcessEffect;
import dev.parley.workflows.engine.WorkflowError;
import dev.parley.workflows.engine.WorkflowError.Standard;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;

/** Pending calls of a process in one decision. A call whose lease expires is requested again, until its deadline. */
final class PendingCalls {
    /** Default timeout of a call. */
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    /** Default timeout of workflows and agents. */
    private static final Duration LONG_TIMEOUT = Duration.ofDays(365);

    private static final Set<String> LONG_CALLS = Set.of("workflow", "agent");

    /** Maximum number of requests of a call, after which it fails. */
    private static final int MAX_ATTEMPTS = 5;

    private static final String STOPPED = "stopped by the process that started it";

    private final InstanceDraft draft;
    private final SequencedMap<String, WorkRequest> calls = new LinkedHashMap<>();

    PendingCalls(InstanceDraft draft) {
        this.draft = draft;
        draft.before().calls().forEach(this::put);
    }

    List<WorkRequest> list() {
        return List.copyOf(calls.values());
    }

    Optional<WorkRequest> find(UUID callId) {
        return calls.values().stream()
                .filter(call -> call.callId().equals(callId))
                .findFirst();
    }

    boolean isPending(WorkRequest call) {
        return calls.containsKey(call.callKey());
    }

    private void put(WorkRequest call) {
        calls.put(call.callKey(), call);
    }

    void remove(WorkRequest call) {
        calls.remove(call.callKey());
    }

    void clear() {
        calls.clear();
    }

    void request(ProcessEffect.Call call) {
        ProcessInstance instance = draft.before();
        Instant now = draft.now();
        request(new WorkRequest(
                Ids.of("work", instance.process().id(), call.key()),
                1,
                instance.process(),
                call.key(),
                call.name(),
                call.function(),
                call.arguments().toString(),
                call.idempotencyKey(),
                instance.user(),
                instance.depth(),
                now.plus(InstanceMachine.LEASE),
                now.plus(timeout(call)),
                isOfHost(instance)));
    }

    private static boolean isOfHost(ProcessInstance instance) {
        UUID ofHost =
                Workflow.id(instance.process().host(), null, instance.workflow().reference());
        return instance.definitionId().equals(ofHost);
    }

    private static Duration timeout(ProcessEffect.Call call) {
        if (call.timeout() != null) {
            return call.timeout();
        }
        return LONG_CALLS.contains(call.function()) ? LONG_TIMEOUT : TIMEOUT;
    }

    private void request(WorkRequest call) {
        put(call);
        draft.react(new Reaction.RequestWork(call));
    }

    /** Renews the lease of a call that makes progress. */
    void renew(WorkRequest call) {
        put(call.withLease(draft.now().plus(InstanceMachine.LEASE)));
    }

    /** Suspends the lease of a call whose result a child process or a turn reports. */
    void await(WorkRequest call) {
        put(call.withLease(call.deadline()));
    }

    /** Requests a call again if its lease has expired; returns its failure after the deadline or the last attempt. */
    Optional<WorkflowError> expire(WorkRequest call) {
        Instant now = draft.now();
        if (call.leaseUntil().isAfter(now)) {
            return Optional.empty();
        }
        if (!call.deadline().isAfter(now)) {
            return Optional.of(Standard.TIMEOUT.error("no answer arrived in time", ""));
        }
        if (call.attempt() >= MAX_ATTEMPTS) {
            return Optional.of(Standard.COMMUNICATION.error("no worker has answered", ""));
        }
        request(call.again(now.plus(InstanceMachine.LEASE)));
        return Optional.empty();
    }

    void cancelAll() {
        List.copyOf(calls.keySet()).forEach(this::cancel);
    }

    /** Cancels a call, with the child process or the turn that it has started. */
    void cancel(String key) {
        WorkRequest call = calls.remove(key);
        if (call == null) {
            return;
        }
        draft.react(new Reaction.CancelWork(call.callId()));
        switch (call.function()) {
            case "workflow" -> {
                ProcessRef child = InstanceMachine.child(draft.before().process(), call.callId());
                draft.send(meta -> new ControlProcess(meta, child, Control.CANCEL, STOPPED));
            }
            case "agent" -> {
                AgentSession session = AgentSession.of(call);
                var cancel = new TurnCommand.CancelTurn(draft.meta(), session.turn(), STOPPED);
                draft.react(new Reaction.CancelTurn(session.key(), cancel));
            }
            default -> {} // the worker stops the call
        }
    }
}
