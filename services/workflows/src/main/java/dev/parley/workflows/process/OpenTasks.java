package dev.parley.workflows.process;

import dev.parley.domain.workflow.HumanTask;
import dev.parley.domain.workflow.HumanTask.Assignee;
import dev.parley.domain.workflow.WorkflowEvent.HumanTaskChanged;
import dev.parley.domain.workflow.WorkflowEvent.TaskChange;
import dev.parley.workflows.engine.ProcessEffect;
import dev.parley.workflows.engine.ProcessEvent;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.people.Question;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Open human tasks of a process in one decision; publishes their changes. */
final class OpenTasks {
    private final InstanceDraft draft;
    private final SequencedMap<Long, HumanTask> tasks = new LinkedHashMap<>();

    OpenTasks(InstanceDraft draft) {
        this.draft = draft;
        draft.before().tasks().forEach(this::put);
    }

    List<HumanTask> list() {
        return List.copyOf(tasks.values());
    }

    Stream<HumanTask> stream() {
        return tasks.values().stream();
    }

    private void put(HumanTask task) {
        tasks.put(task.taskOrder(), task);
    }

    void ask(ProcessEffect.Ask ask) {
        Json assignment = ask.question().get("assignment");
        var task = new HumanTask(
                ask.order(),
                ask.name(),
                ask.question().toString(),
                Assignments.of(assignment, draft.now()),
                Assignments.priority(ask.question()),
                Assignments.lockGroup(ask.question()),
                null,
                null,
                ask.deadline(),
                0);
        change(task, TaskChange.ASKED, null);
    }

    /** Reassigns a task and drops its claim. */
    void escalate(ProcessEffect.Escalate escalate) {
        HumanTask task = tasks.get(escalate.order());
        if (task != null) {
            List<Assignee> assignees = Assignments.of(escalate.question().get("assignment"), draft.now());
            HumanTask escalated = task.withEscalation(escalate.question().toString(), assignees, escalate.deadline());
            change(escalated, TaskChange.ESCALATED, null);
        }
    }

    void withdraw(long order) {
        HumanTask task = tasks.remove(order);
        if (task != null) {
            publish(task, TaskChange.WITHDRAWN, null);
        }
    }

    /** Drops the claims that have lapsed. */
    void lapseClaims() {
        for (HumanTask task : list()) {
            Instant until = task.claimedUntil();
            if (until != null && !until.isAfter(draft.now())) {
                change(task.withClaim(null, null), TaskChange.CLAIM_LAPSED, null);
            }
        }
    }

    /**
     * Updates a task.
     *
     * @param comment of the user who changed it, or null
     */
    void change(HumanTask task, TaskChange change, @Nullable String comment) {
        put(task);
        publish(task, change, comment);
    }

    void publish(HumanTask task, TaskChange change, @Nullable String comment) {
        draft.publish(meta -> new HumanTaskChanged(meta, task, change, comment));
    }

    void remove(HumanTask task) {
        tasks.remove(task.taskOrder());
    }

    /** The output of a task without sensitive answers. */
    Json hideSensitive(ProcessEvent.TaskChanged task) {
        HumanTask openTask = tasks.get(task.order());
        return openTask == null
                ? task.output()
                : new Question(JsonText.read(openTask.question())).hideSensitive(task.output());
    }
}
