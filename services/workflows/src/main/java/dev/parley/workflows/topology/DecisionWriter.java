package dev.parley.workflows.topology;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.workflow.ParentCall;
import dev.parley.domain.workflow.WorkCancelled;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.domain.workflow.WorkflowCommand;
import dev.parley.domain.workflow.WorkflowEvent;
import dev.parley.platform.dispatch.TaskDispatch;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.streams.Sinks;
import dev.parley.platform.streams.Writes;
import dev.parley.workflows.process.InstanceDecision;
import dev.parley.workflows.process.ProcessInstance;
import dev.parley.workflows.process.Reaction;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Prepares decisions about processes: the state for the store, timers, events and reactions. Records whose receiver
 * waits request an immediate commit.
 */
record DecisionWriter(
        WorkflowStore store,
        BiConsumer<RecordKey, Instant> timers,
        TaskDispatch dispatch,
        Sinks sinks,
        Supplier<Instant> clock,
        @Nullable String trace,
        Writes<WorkflowInput> writes) {
    void write(RecordKey key, InstanceDecision decision) {
        ProcessInstance instance = decision.instance();
        if (instance != null) {
            writes.add(() -> store.put(instance));
            arm(key, instance.due());
        }
        for (WorkflowEvent event : decision.events()) {
            String id = key + "#" + event.meta().seq();
            send(Topics.WORKFLOW_EVENTS, id, event, Ids.of("event", id), trace);
        }
        decision.reactions().forEach(reaction -> write(key, reaction));
        writes.add(() -> dispatch.requestCommit(TaskDispatch.AGE));
    }

    /** Sets the timer of a key; null for none. */
    void arm(RecordKey key, @Nullable Instant due) {
        if (due != null) {
            writes.add(() -> timers.accept(key, due));
        }
    }

    private void write(RecordKey key, Reaction reaction) {
        switch (reaction) {
            case Reaction.RequestWork(WorkRequest request) -> request(key, request);
            case Reaction.CancelWork(UUID callId) -> writes.add(() -> cancel(key, callId));
            case Reaction.SendCommand(WorkflowCommand command) -> send(command);
            case Reaction.CancelTurn(RecordKey session, TurnCommand.CancelTurn cancel) ->
                send(
                        Topics.TURN_COMMANDS,
                        session.toString(),
                        cancel,
                        cancel.meta().commandId(),
                        trace);
            case Reaction.Reply(int partition, Outcome outcome) -> reply(partition, outcome);
            case Reaction.RememberOutcome(UUID commandId, Outcome outcome) ->
                writes.add(store.outcomes().prepare(key, commandId, outcome, clock.get()));
            case Reaction.ReportResult(ParentCall parent, CallResult result) -> report(parent, result);
            case Reaction.WriteAudit(AuditEntry entry) ->
                send(Topics.AUDIT, entry.host().toString(), entry, entry.id(), trace);
            case Reaction.RemoveProcess _ -> writes.add(() -> store.remove(key));
        }
    }

    private void request(RecordKey key, WorkRequest request) {
        UUID id = Ids.of("ask", request.callId(), request.attempt());
        writes.add(() -> dispatch.request(Topics.WORKFLOW_REQUESTS, key, request, trace, () -> {
            dispatch.requestCommit(Duration.ZERO);
            sinks.send(Topics.WORKFLOW_REQUESTS, key.toString(), request, id, clock.get(), trace);
        }));
    }

    private void cancel(RecordKey key, UUID callId) {
        if (!dispatch.cancel(Topics.WORKFLOW_REQUESTS, callId)) {
            UUID id = Ids.of("stop", callId);
            sinks.send(Topics.WORKFLOW_REQUESTS, key.toString(), new WorkCancelled(callId), id, clock.get(), trace);
        }
    }

    void send(WorkflowCommand command) {
        commitNow();
        send(
                Topics.WORKFLOW_COMMANDS,
                command.key().toString(),
                command,
                command.meta().commandId(),
                command.meta().trace());
    }

    /** Reports a result to a parent process. */
    void report(ParentCall parent, CallResult result) {
        commitNow();
        String key = parent.process().key().toString();
        send(Topics.RESULTS, key, result, Ids.of("report", result.callId()), trace);
    }

    /** Sends the outcome of a command, if its sender waits for one. */
    void reply(WorkflowCommand command, Outcome outcome) {
        Integer partition = command.meta().outcomePartition();
        if (partition != null) {
            reply(partition, outcome);
        }
    }

    private void reply(int partition, Outcome outcome) {
        commitNow();
        String key = Integer.toString(partition);
        UUID id = Ids.of("outcome", outcome, partition);
        writes.add(() -> {
            if (!dispatch.notifyWaiter(partition, outcome)) {
                sinks.send(Topics.OUTCOMES, key, outcome, id, clock.get(), trace);
            }
        });
    }

    private void commitNow() {
        writes.add(() -> dispatch.requestCommit(Duration.ZERO));
    }

    private <V> void send(Topic<? super V> topic, String key, V value, UUID id, @Nullable String recordTrace) {
        writes.add(sinks.prepare(topic, key, value, id, clock.get(), recordTrace));
    }
}
