package dev.parley.workflows.process;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CallResult.WorkAnswered;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.workflow.ParentCall;
import dev.parley.domain.workflow.StoredProcess.ProcessWaiter;
import dev.parley.domain.workflow.WorkflowCommand;
import dev.parley.workflows.engine.ProcessState;
import dev.parley.workflows.engine.WorkflowError;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** Notifies waiting clients, the schedule and the parent process of the end of a process. */
final class EndNotification {
    private static final int MAX_WAITERS = 100;

    private final InstanceDraft draft;
    private final List<ProcessWaiter> waiters;

    EndNotification(InstanceDraft draft) {
        this.draft = draft;
        waiters = new ArrayList<>(draft.before().waiters());
    }

    List<ProcessWaiter> waiters() {
        return waiters;
    }

    /** Registers a client that awaits the end; returns false if there are too many. */
    boolean addWaiter(UUID commandId, int partition) {
        var waiter = new ProcessWaiter(commandId, partition);
        if (waiters.contains(waiter)) {
            return true;
        }
        return waiters.size() < MAX_WAITERS && waiters.add(waiter);
    }

    void onEnded(ProcessInstance instance) {
        RecordKey key = instance.process().key();
        reply(waiter -> new Outcome.ProcessShown(
                key, waiter.commandId(), ProcessJson.of(instance).toString()));
        waiters.clear();
        RecordKey schedule = instance.schedule();
        if (schedule != null) {
            draft.send(meta -> new WorkflowCommand.ScheduledEnded(
                    meta, schedule, instance.process().id()));
        }
        ParentCall parent = instance.parent();
        if (parent != null) {
            draft.react(new Reaction.ReportResult(parent, result(parent, instance.state())));
        }
    }

    private static WorkAnswered result(ParentCall parent, ProcessState state) {
        WorkflowError error = state.error();
        return new WorkAnswered(
                parent.callId(),
                parent.attempt(),
                error == null ? state.output().toString() : null,
                error == null ? null : error.toJson().toString());
    }

    /** Notifies waiting clients only. */
    void onErased() {
        RecordKey key = draft.before().process().key();
        reply(waiter -> Outcome.erased(key, waiter.commandId()));
    }

    private void reply(Function<ProcessWaiter, Outcome> outcome) {
        waiters.forEach(waiter -> draft.react(new Reaction.Reply(waiter.partition(), outcome.apply(waiter))));
    }
}
