package dev.parley.workflows.engine;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.definition.Task;
import dev.parley.workflows.definition.TaskBlock;
import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.json.Values;
import java.util.List;

/** Cancels running tasks with their calls, questions and subscriptions. */
record TaskCancellation(ProcessDraft draft) {
    /** Cancels the running task of a list. */
    void cancel(TaskBlock block, Frame.Work work) {
        if (work instanceof Frame.Sequence sequence) {
            cancel(block.tasks().get(sequence.index()), sequence.task());
        }
    }

    /** Cancels a task. */
    void cancel(Task task, Frame frame) {
        cancelWork(task, frame);
        if (!(frame.work() instanceof Frame.Again)) { // its attempt has failed already
            draft.recordChange(task, frame, Phase.CANCELLED, Values.NULL, null, false);
        }
    }

    /** Cancels the work of a task without changing its phase. */
    void cancelWork(Task task, Frame frame) {
        switch (frame.work()) {
            case Frame.Calling calling -> draft.effect(new ProcessEffect.CancelCall(calling.key()));
            case Frame.Asking _ -> draft.effect(new ProcessEffect.CancelAsk(frame.order()));
            case Frame.Listening listening -> cancelListening((TaskKind.Listen) task.kind(), frame, listening);
            case Frame.Subscribing subscribing -> cancelSubscription((TaskKind.Subscribe) task.kind(), subscribing);
            case Frame.Sequence _ -> cancel(((TaskKind.Do) task.kind()).body(), frame.work());
            case Frame.Function(Frame inner) -> cancel(((TaskKind.CallFunction) task.kind()).task(), inner);
            case Frame.Extending extending -> cancelExtended((TaskKind.Extended) task.kind(), frame, extending);
            case Frame.Looping looping -> cancel(((TaskKind.For) task.kind()).body(), looping.body());
            case Frame.Trying trying -> cancel(((TaskKind.Try) task.kind()).body(), trying.body());
            case Frame.Catching catching -> cancel(TryTask.handlerBody((TaskKind.Try) task.kind()), catching.body());
            case Frame.Forking(List<Frame.Branch> branches) -> cancelBranches((TaskKind.Fork) task.kind(), branches);
            case Frame.Sleeping _, Frame.Retrying _, Frame.Again _, Frame.Yielded _, Frame.Broken _ -> {
                // no effects to cancel
            }
        }
    }

    private void cancelListening(TaskKind.Listen listen, Frame frame, Frame.Listening listening) {
        draft.effect(new ProcessEffect.CancelListen(frame.order()));
        if (listen.foreach() != null && listening.body() != null) {
            cancel(listen.foreach().body(), listening.body());
        }
    }

    private void cancelSubscription(TaskKind.Subscribe subscribe, Frame.Subscribing subscribing) {
        if (subscribing.key() != null) {
            draft.effect(new ProcessEffect.CancelCall(subscribing.key()));
        }
        if (subscribing.body() != null) {
            cancel(subscribe.foreach().body(), subscribing.body());
        }
    }

    private void cancelExtended(TaskKind.Extended kind, Frame frame, Frame.Extending extending) {
        TaskBlock block = ExtendedTask.block(kind, extending.stage());
        if (block == null) {
            cancelWork(kind.inner(), frame.withWork(extending.body()));
        } else {
            cancel(block, extending.body());
        }
    }

    /** Cancels the running branches of a fork. */
    void cancelBranches(TaskKind.Fork fork, List<Frame.Branch> branches) {
        for (int i = 0; i < branches.size(); i++) {
            Frame running = branches.get(i).running();
            if (running != null) {
                cancel(fork.branches().get(i), running);
            }
        }
    }
}
