package dev.parley.workflows.process;

import dev.parley.domain.Ids;
import dev.parley.domain.ProcessRef;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.workflow.Phase;
import dev.parley.domain.workflow.WorkflowCommand.AwaitProcess;
import dev.parley.domain.workflow.WorkflowCommand.Control;
import dev.parley.domain.workflow.WorkflowCommand.ControlProcess;
import dev.parley.domain.workflow.WorkflowCommand.HandleTask;
import dev.parley.domain.workflow.WorkflowCommand.StartProcess;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.engine.EngineContext;
import dev.parley.workflows.engine.ProcessInput;
import dev.parley.workflows.engine.ProcessMachine;
import dev.parley.workflows.engine.ProcessState;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * State machine of a stored process: {@link ProcessMachine} for its tasks, with leases of calls, human tasks, and
 * clients that await its end.
 */
public final class InstanceMachine {
    /** Lease of a call: without progress for this long, it is retried. */
    public static final Duration LEASE = Duration.ofSeconds(10);

    /** Duration of a claim. */
    public static final Duration CLAIM_DURATION = Duration.ofMinutes(30);

    /** Retention of an ended process in the state store, so that a repeated start finds it. */
    public static final Duration RETENTION = Duration.ofDays(7);

    private InstanceMachine() {}

    /**
     * Starts a process.
     *
     * @param workflow the compiled definition of the command
     * @param digest of the definition's YAML
     * @throws ProcessMachine.InvalidInputException if the input does not match the definition; no process is created
     */
    public static InstanceDecision start(StartProcess command, Workflow workflow, String digest, EngineContext engine) {
        return InstanceDraft.start(command, workflow, digest, engine).decision();
    }

    /** A repeated start: leaves the process unchanged and returns it as the outcome. */
    public static InstanceDecision startAgain(ProcessInstance instance, StartProcess command) {
        return new InstanceDecision(
                instance, List.of(), reply(command.meta(), () -> processShown(instance, command.meta())));
    }

    /** Registers a client for the end of the process, or answers at once if it has ended. */
    public static InstanceDecision await(ProcessInstance instance, AwaitProcess command, EngineContext engine) {
        CommandMeta meta = command.meta();
        if (instance.state().phase().isFinal()) {
            return new InstanceDecision(instance, List.of(), reply(meta, () -> processShown(instance, meta)));
        }
        Integer partition = meta.outcomePartition();
        if (partition == null) {
            return new InstanceDecision(instance, List.of(), List.of());
        }
        var draft = new InstanceDraft(instance, engine, null);
        if (!draft.end().addWaiter(meta.commandId(), partition)) {
            Outcome refusal = refusal(instance, meta, "too_many", "too many clients wait for the end of the process");
            return new InstanceDecision(instance, List.of(), reply(meta, () -> refusal));
        }
        return draft.decision();
    }

    /** Control commands: cancel, suspend, resume, retry, skip, set business keys. */
    public static InstanceDecision control(ProcessInstance instance, ControlProcess command, EngineContext engine) {
        CommandMeta meta = command.meta();
        Optional<Outcome> refusal = refusal(instance, command);
        if (refusal.isPresent()) {
            return new InstanceDecision(instance, List.of(), reply(meta, refusal::get));
        }
        String comment = command.reason().isBlank() ? null : command.reason();
        var draft = new InstanceDraft(instance, engine, meta.user(), comment);
        Json value = command.value() == null ? null : JsonText.read(command.value());
        switch (command.control()) {
            case CANCEL -> draft.apply(new ProcessInput.Cancel(command.reason()));
            case SUSPEND -> draft.apply(new ProcessInput.Suspend());
            case RESUME -> draft.apply(new ProcessInput.Resume());
            case RETRY -> draft.apply(new ProcessInput.Retry(command.task()));
            case SKIP -> draft.apply(new ProcessInput.Skip(command.task(), value));
            case SET_KEYS -> draft.setKeys(value == null ? Values.EMPTY_OBJECT : value);
        }
        return draft.accept(meta);
    }

    private static Optional<Outcome> refusal(ProcessInstance instance, ControlProcess command) {
        ProcessState state = instance.state();
        boolean repairs = command.control() == Control.RETRY || command.control() == Control.SKIP;
        boolean failed = state.phase() == Phase.FAULTED;
        if (state.phase().isFinal() && !(repairs && failed)) {
            String message = "the process has ended: it is " + state.phase().specificationName();
            return Optional.of(refusal(instance, command.meta(), "process_ended", message));
        }
        if (repairs && failed && instance.parent() != null) {
            String message = "its parent process has received the failure: repair the parent";
            return Optional.of(refusal(instance, command.meta(), "process_ended", message));
        }
        if (command.control() == Control.RETRY && !failed) {
            return Optional.of(refusal(instance, command.meta(), "process_runs", "the process has not failed"));
        }
        return repairs && !ProcessMachine.canRepair(state, command.task())
                ? Optional.of(refusal(instance, command.meta(), "unknown_task", unknownTask(command, state)))
                : Optional.empty();
    }

    private static String unknownTask(ControlProcess command, ProcessState state) {
        return command.task() == null
                ? "none of its tasks can be retried: restart it"
                : "no task '" + command.task() + "' is in progress; tasks in progress: "
                        + String.join(", ", ProcessMachine.underWay(state));
    }

    /** An action of a person on a task. */
    public static InstanceDecision handle(ProcessInstance instance, HandleTask command, EngineContext engine) {
        var draft = new InstanceDraft(instance, engine, command.meta().user());
        Optional<Outcome> refusal = new TaskHandling(draft, command).handle();
        return refusal.isPresent() ? draft.reply(command.meta(), refusal.get()) : draft.accept(command.meta());
    }

    /** A result or the progress of a call. */
    public static InstanceDecision result(ProcessInstance instance, CallResult result, EngineContext engine) {
        var draft = new InstanceDraft(instance, engine, null);
        draft.apply(result);
        return draft.decision();
    }

    /** A CloudEvent. */
    public static InstanceDecision event(ProcessInstance instance, Json event, EngineContext engine) {
        var draft = new InstanceDraft(instance, engine, null);
        draft.apply(new ProcessInput.Event(event));
        return draft.decision();
    }

    /** A timer fired, or the process continues after yielding. */
    public static InstanceDecision tick(ProcessInstance instance, EngineContext engine) {
        var draft = new InstanceDraft(instance, engine, null);
        draft.tick();
        return draft.decision();
    }

    /**
     * Ends the process as faulted, after an input that could not be decided.
     *
     * @param detail for operators
     */
    public static InstanceDecision fault(ProcessInstance instance, String detail, EngineContext engine) {
        var draft = new InstanceDraft(instance, engine, null);
        draft.apply(new ProcessInput.Fault(detail));
        return draft.decision();
    }

    /** A failed result of the same call, for a result that could not be decided; empty if its caller waits for another. */
    public static Optional<CallResult> failed(CallResult result, String detail) {
        return switch (result) {
            case CallResult.WorkAnswered _, CallResult.ChildFinished _, CallResult.ModelFailed _ ->
                Optional.of(new CallResult.WorkAnswered(
                        result.callId(),
                        result.attempt(),
                        null,
                        Standard.RUNTIME.error(detail, "").toJson().toString()));
            case CallResult.CallProgress _ -> Optional.empty(); // the lease of its call expires
            case CallResult.ModelAnswered _, CallResult.ToolAnswered _, CallResult.Settled _ -> Optional.empty();
            case CallResult.Embedded _, CallResult.Found _, CallResult.RetryAfter _ -> Optional.empty();
        };
    }

    /** Erases the process and stops its calls. */
    public static InstanceDecision erase(ProcessInstance instance, EngineContext engine) {
        var draft = new InstanceDraft(instance, engine, null);
        return new InstanceDecision(null, List.of(), draft.erase());
    }

    /** The child process that a call starts. */
    public static ProcessRef child(ProcessRef parent, UUID callId) {
        return new ProcessRef(parent.host(), parent.project(), Ids.of("child process", callId));
    }

    static Outcome processShown(ProcessInstance instance, CommandMeta meta) {
        return new Outcome.ProcessShown(
                instance.process().key(),
                meta.commandId(),
                ProcessJson.of(instance).toString());
    }

    static Outcome refusal(ProcessInstance instance, CommandMeta meta, String code, String message) {
        return new Outcome.Refused(instance.process().key(), meta.commandId(), code, message);
    }

    /** The reply to the sender of a command. The outcome is rendered only if the sender waits for it. */
    static List<Reaction> reply(CommandMeta meta, Supplier<Outcome> outcome) {
        Integer partition = meta.outcomePartition();
        return partition == null ? List.of() : List.of(new Reaction.Reply(partition, outcome.get()));
    }
}
