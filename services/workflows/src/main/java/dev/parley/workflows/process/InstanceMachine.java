package dev.parley.workflows.process;

import dev.parley.domain.Ids;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.workflow.ProcessRef;
import dev.parley.domain.workflow.WorkflowCommand.AwaitProcess;
import dev.parley.domain.workflow.WorkflowCommand.ControlProcess;
import dev.parley.domain.workflow.WorkflowCommand.HandleTask;
import dev.parley.domain.workflow.WorkflowCommand.StartProcess;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.engine.ProcessInput;
import dev.parley.workflows.engine.ProcessMachine;
import dev.parley.workflows.engine.Surroundings;
import dev.parley.workflows.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What a process does with what it is told: {@link ProcessMachine} decides about its tasks, and around it stand calls with leases, tasks of
 * people, and who waits for its end.
 */
public final class InstanceMachine {
    /** How long a worker may give no sign of life before a call is asked again. */
    public static final Duration LEASE = Duration.ofSeconds(10);

    /** How long a person may keep a task that they have claimed. */
    public static final Duration CLAIM = Duration.ofMinutes(30);

    /** How long a process that has ended is kept beside its tables: for those who start it again by the same id. */
    public static final Duration KEPT = Duration.ofDays(7);

    private InstanceMachine() {}

    /**
     * Begins a process.
     *
     * @param workflow what the command's definition says
     * @param digest of the definition's YAML
     * @throws ProcessMachine.InvalidInputException when the input is not as the definition says; there is no process then
     */
    public static Decided start(StartProcess command, Workflow workflow, String digest, Surroundings surroundings) {
        return InstanceDraft.fresh(command, workflow, digest, surroundings).decided();
    }

    /** A start of a process that is there: it stays as it is, and is the outcome. */
    public static Decided startAgain(Instance instance, StartProcess command) {
        return new Decided(instance, List.of(), told(command.meta(), shown(instance, command.meta())));
    }

    /** Its end is told, at once where it has ended. */
    public static Decided await(Instance instance, AwaitProcess command, Surroundings surroundings) {
        Integer partition = command.meta().outcomePartition();
        if (instance.state().phase().isFinal()) {
            return new Decided(instance, List.of(), told(command.meta(), shown(instance, command.meta())));
        }
        if (partition == null) {
            return new Decided(instance, List.of(), List.of());
        }
        var draft = new InstanceDraft(instance, surroundings, null);
        if (!draft.wait(command.meta().commandId(), partition)) {
            return new Decided(
                    instance,
                    List.of(),
                    told(command.meta(), refused(instance, command.meta(), "too_many", "too many wait for its end")));
        }
        return draft.decided();
    }

    /** It is stopped, paused, or goes on. */
    public static Decided control(Instance instance, ControlProcess command, Surroundings surroundings) {
        CommandMeta meta = command.meta();
        if (instance.state().phase().isFinal()) {
            String ended =
                    "the process has ended: it is " + instance.state().phase().specified();
            return new Decided(instance, List.of(), told(meta, refused(instance, meta, "process_ended", ended)));
        }
        var draft = new InstanceDraft(instance, surroundings, meta.user());
        draft.take(
                switch (command.control()) {
                    case CANCEL -> new ProcessInput.Cancel(command.reason());
                    case SUSPEND -> new ProcessInput.Suspend();
                    case RESUME -> new ProcessInput.Resume();
                });
        return draft.answered(meta);
    }

    /** A person does something with a task. */
    public static Decided handle(Instance instance, HandleTask command, Surroundings surroundings) {
        var draft = new InstanceDraft(instance, surroundings, command.meta().user());
        Optional<Outcome> refusal = new TaskHandling(draft, command).handle();
        return refusal.isPresent() ? draft.refused(command.meta(), refusal.get()) : draft.answered(command.meta());
    }

    /** A worker has answered, or says that it is still at work. */
    public static Decided result(Instance instance, CallResult result, Surroundings surroundings) {
        var draft = new InstanceDraft(instance, surroundings, null);
        draft.take(result);
        return draft.decided();
    }

    /** An event came. */
    public static Decided event(Instance instance, Json event, Surroundings surroundings) {
        var draft = new InstanceDraft(instance, surroundings, null);
        draft.take(new ProcessInput.Event(event));
        return draft.decided();
    }

    /** Time has passed, or it is its turn again. */
    public static Decided tick(Instance instance, Surroundings surroundings) {
        var draft = new InstanceDraft(instance, surroundings, null);
        draft.tick();
        return draft.decided();
    }

    /** Nothing of it is to be left: what is under way is stopped. */
    public static Decided erased(Instance instance, Surroundings surroundings) {
        var draft = new InstanceDraft(instance, surroundings, null);
        return new Decided(null, List.of(), draft.erased());
    }

    /** The process that a call of another one starts. */
    public static ProcessRef child(ProcessRef parent, UUID callId) {
        return new ProcessRef(parent.host(), parent.project(), Ids.of("child process", callId));
    }

    // ---- outcomes

    static Outcome shown(Instance instance, CommandMeta meta) {
        return new Outcome.ProcessShown(
                instance.process().key(),
                meta.commandId(),
                ProcessJson.of(instance).toString());
    }

    static Outcome refused(Instance instance, CommandMeta meta, String code, String message) {
        return new Outcome.Refused(instance.process().key(), meta.commandId(), code, message);
    }

    private static List<Reaction> told(CommandMeta meta, Outcome outcome) {
        Integer partition = meta.outcomePartition();
        return partition == null ? List.of() : List.of(new Reaction.Tell(partition, outcome));
    }
}
