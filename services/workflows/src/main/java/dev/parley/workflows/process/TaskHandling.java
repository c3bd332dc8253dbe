package dev.parley.workflows.process;

import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.workflow.HumanTask;
import dev.parley.domain.workflow.HumanTask.Assignee;
import dev.parley.domain.workflow.WorkflowCommand.HandleTask;
import dev.parley.domain.workflow.WorkflowEvent.TaskChange;
import dev.parley.workflows.engine.ProcessInput;
import dev.parley.workflows.engine.WorkflowError;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import dev.parley.workflows.people.Question;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Actions of people on a human task: claim, release, delegate, complete, cancel. */
final class TaskHandling {
    private final InstanceDraft draft;
    private final HandleTask command;
    private final String user;

    TaskHandling(InstanceDraft draft, HandleTask command) {
        this.draft = draft;
        this.command = command;
        this.user = Objects.requireNonNullElse(command.meta().user(), "");
    }

    /** Executes the command; returns the refusal, if it is refused. */
    Optional<Outcome> handle() {
        Optional<HumanTask> found = draft.tasks().stream()
                .filter(task -> task.taskOrder() == command.taskOrder())
                .findFirst();
        if (found.isEmpty()) {
            return refusal("task_closed", "the task is closed");
        }
        HumanTask task = found.get();
        if (!isLeader() && !task.isFor(user, command.roles())) {
            return refusal("task_not_yours", "the task is assigned to someone else");
        }
        return switch (command.action()) {
            case CLAIM -> claim(task);
            case RELEASE -> release(task);
            case DELEGATE -> delegate(task);
            case COMPLETE -> complete(task);
            case CANCEL_TASK -> cancel(task);
        };
    }

    private boolean isLeader() {
        return command.roles().contains(HumanTask.LEADER);
    }

    private Optional<Outcome> claim(HumanTask task) {
        List<HumanTask> group =
                draft.tasks().stream().filter(other -> isInGroup(task, other)).toList();
        Optional<HumanTask> claimed =
                group.stream().filter(this::isClaimedByOther).findFirst();
        if (claimed.isPresent()) {
            return refusalAsClaimed(claimed.get());
        }
        Instant until = draft.now().plus(InstanceMachine.CLAIM_DURATION);
        group.forEach(
                member -> draft.tasks().change(member.withClaim(user, until), TaskChange.CLAIMED, command.comment()));
        return Optional.empty();
    }

    /** Tasks of one lock group are claimed together, if the user is assigned to them. */
    private boolean isInGroup(HumanTask task, HumanTask other) {
        return other.taskOrder() == task.taskOrder()
                || task.lockGroup() != null
                        && task.lockGroup().equals(other.lockGroup())
                        && (isLeader() || other.isFor(user, command.roles()));
    }

    private boolean isClaimedByOther(HumanTask task) {
        Instant until = task.claimedUntil();
        return task.claimedBy() != null
                && !task.claimedBy().equals(user)
                && until != null
                && until.isAfter(draft.now());
    }

    private Optional<Outcome> refusalAsClaimed(HumanTask task) {
        return refusal("task_claimed", "the task is claimed by " + task.claimedBy() + " until " + task.claimedUntil());
    }

    private Optional<Outcome> release(HumanTask task) {
        if (isClaimedByOther(task) && !isLeader()) {
            return refusalAsClaimed(task);
        }
        draft.tasks().stream()
                .filter(other -> isInGroup(task, other))
                .toList()
                .forEach(member ->
                        draft.tasks().change(member.withClaim(null, null), TaskChange.RELEASED, command.comment()));
        return Optional.empty();
    }

    private Optional<Outcome> delegate(HumanTask task) {
        if (isClaimedByOther(task) && !isLeader()) {
            return refusalAsClaimed(task);
        }
        String to = command.assignee();
        if (to == null || to.isBlank()) {
            return refusal("invalid_assignee", "to delegate a task, name its 'assignee'");
        }
        String category = task.assignees().isEmpty()
                ? Assignments.EVERY
                : task.assignees().getFirst().category();
        var assignee = new Assignee(to, category, "delegated", draft.now());
        draft.tasks().change(task.withAssignees(List.of(assignee)), TaskChange.DELEGATED, command.comment());
        return Optional.empty();
    }

    private Optional<Outcome> complete(HumanTask task) {
        if (isClaimedByOther(task)) {
            return refusalAsClaimed(task);
        }
        Json input = command.answer() == null ? Values.NULL : JsonText.read(command.answer());
        var question = new Question(JsonText.read(task.question()));
        Question.Answer answer = question.answer(input);
        if (!answer.errors().isEmpty()) {
            return refuse(task, question, String.join("; ", answer.errors()));
        }
        Json value = answer.value();
        if (value instanceof Json.Obj && !value.map().containsKey("by")) {
            value = value.with("by", Json.of(user));
        }
        draft.answer(task, new ProcessInput.Answer(task.taskOrder(), value), TaskChange.ANSWERED, command.comment());
        return Optional.empty();
    }

    /** Refuses an invalid answer; fails the task if no attempts are left. */
    private Optional<Outcome> refuse(HumanTask task, Question question, String reason) {
        if (question.isRepeated(task.refusals() + 1)) {
            draft.tasks().change(task.withRefusal(), TaskChange.REFUSED, null);
            return refusal("invalid_answer", reason);
        }
        fail(task, WorkflowError.Standard.VALIDATION.error("invalid answer: " + reason, ""));
        return refusal("task_failed", reason + "; no attempts are left, and the task has failed");
    }

    private Optional<Outcome> cancel(HumanTask task) {
        if (!isLeader()) {
            return refusal("task_not_yours", "only project owners and admins can cancel a task");
        }
        String reason = Objects.requireNonNullElse(command.comment(), "no reason was given");
        fail(task, WorkflowError.Standard.RUNTIME.error("the task was cancelled: " + reason, ""));
        return Optional.empty();
    }

    private void fail(HumanTask task, WorkflowError error) {
        draft.answer(
                task,
                new ProcessInput.Answer(task.taskOrder(), Values.NULL, error),
                TaskChange.WITHDRAWN,
                command.comment());
    }

    private Optional<Outcome> refusal(String code, String message) {
        return Optional.of(InstanceMachine.refusal(draft.before(), command.meta(), code, message));
    }
}
