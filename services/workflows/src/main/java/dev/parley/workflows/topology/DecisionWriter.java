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
import dev.parley.platform.streams.Timers;
import dev.parley.workflows.process.InstanceDecision;
import dev.parley.workflows.process.ProcessInstance;
import dev.parley.workflows.process.Reaction;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes decisions about processes: the state to the store, timers, events and reactions. Records whose receiver waits
 * request an immediate commit.
 */
record DecisionWriter(WorkflowStore store, Timers timers, TaskDispatch dispatch, Sinks sinks, Supplier<Instant> clock) {
    void write(RecordKey key, InstanceDecision decision, @Nullable String trace) {
        ProcessInstance instance = decision.instance();
        if (instance != null) {
            store.put(instance);
            if (instance.due() != null) {
                timers.arm(key, instance.due());
            }
        }
        for (WorkflowEvent event : decision.events()) {
            String id = key + "#" + event.meta().seq();
            send(Topics.WORKFLOW_EVENTS, id, event, Ids.of("event", id), trace);
        }
        decision.reactions().forEach(reaction -> write(key, reaction, trace));
        dispatch.requestCommit(TaskDispatch.AGE);
    }

    private void write(RecordKey key, Reaction reaction, @Nullable String trace) {
        switch (reaction) {
            case Reaction.RequestWork(WorkRequest request) -> request(key, request, trace);
            case Reaction.CancelWork(UUID callId) -> cancel(key, callId, trace);
            case Reaction.SendCommand(WorkflowCommand command) -> send(command);
            case Reaction.CancelTurn(RecordKey session, TurnCommand.CancelTurn cancel) ->
                send(
                        Topics.TURN_COMMANDS,
                        session.toString(),
                        cancel,
                        cancel.meta().commandId(),
                        trace);
            case Reaction.Reply(int partition, Outcome outcome) -> reply(partition, outcome, trace);
            case Reaction.RememberOutcome(UUID commandId, Outcome outcome) ->
                store.outcomes().remember(key, commandId, outcome, clock.get());
            case Reaction.ReportResult(ParentCall parent, CallResult result) -> report(parent, result, trace);
            case Reaction.WriteAudit(AuditEntry entry) ->
                send(Topics.AUDIT, entry.host().toString(), entry, entry.id(), trace);
            case Reaction.RemoveProcess _ -> store.remove(key);
        }
    }

    private void request(RecordKey key, WorkRequest request, @Nullable String trace) {
        UUID id = Ids.of("ask", request.callId(), request.attempt());
        dispatch.request(Topics.WORKFLOW_REQUESTS, key, request, trace, () -> {
            dispatch.requestCommit(Duration.ZERO);
            send(Topics.WORKFLOW_REQUESTS, key.toString(), request, id, trace);
        });
    }

    private void cancel(RecordKey key, UUID callId, @Nullable String trace) {
        if (!dispatch.cancel(Topics.WORKFLOW_REQUESTS, callId)) {
            UUID id = Ids.of("stop", callId);
            send(Topics.WORKFLOW_REQUESTS, key.toString(), new WorkCancelled(callId), id, trace);
        }
    }

    void send(WorkflowCommand command) {
        dispatch.requestCommit(Duration.ZERO);
        send(
                Topics.WORKFLOW_COMMANDS,
                command.key().toString(),
                command,
                command.meta().commandId(),
                command.meta().trace());
    }

    /** Reports a result to a parent process. */
    void report(ParentCall parent, CallResult result, @Nullable String trace) {
        dispatch.requestCommit(Duration.ZERO);
        String key = parent.process().key().toString();
        send(Topics.RESULTS, key, result, Ids.of("report", result.callId()), trace);
    }

    /** Sends the outcome of a command, if its sender waits for one. */
    void reply(WorkflowCommand command, Outcome outcome, @Nullable String trace) {
        Integer partition = command.meta().outcomePartition();
        if (partition != null) {
            reply(partition, outcome, trace);
        }
    }

    private void reply(int partition, Outcome outcome, @Nullable String trace) {
        dispatch.requestCommit(Duration.ZERO);
        if (!dispatch.notifyWaiter(partition, outcome)) {
            send(Topics.OUTCOMES, Integer.toString(partition), outcome, Ids.of("outcome", outcome, partition), trace);
        }
    }

    private <V> void send(Topic<? super V> topic, String key, V value, UUID id, @Nullable String trace) {
        sinks.send(topic, key, value, id, clock.get(), trace);
    }
}
