package dev.parley.workflows.process;

import dev.parley.domain.Ids;
import dev.parley.domain.ProcessRef;
import dev.parley.domain.RecordKey;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.CallProgress;
import dev.parley.domain.protocol.CallResult.ChildFinished;
import dev.parley.domain.protocol.CallResult.ModelFailed;
import dev.parley.domain.protocol.CallResult.WorkAnswered;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.workflow.EventRouter;
import dev.parley.domain.workflow.HumanTask;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.domain.workflow.WorkflowCommand;
import dev.parley.domain.workflow.WorkflowCommand.PublishEvent;
import dev.parley.domain.workflow.WorkflowCommand.StartProcess;
import dev.parley.domain.workflow.WorkflowEvent;
import dev.parley.domain.workflow.WorkflowEvent.ProcessChanged;
import dev.parley.domain.workflow.WorkflowEvent.ProcessOverdue;
import dev.parley.domain.workflow.WorkflowEvent.ProcessStarted;
import dev.parley.domain.workflow.WorkflowEvent.TaskChange;
import dev.parley.domain.workflow.WorkflowEvent.TaskChanged;
import dev.parley.domain.workflow.WorkflowMeta;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.engine.EngineContext;
import dev.parley.workflows.engine.ProcessDecision;
import dev.parley.workflows.engine.ProcessEffect;
import dev.parley.workflows.engine.ProcessEvent;
import dev.parley.workflows.engine.ProcessInput;
import dev.parley.workflows.engine.ProcessMachine;
import dev.parley.workflows.engine.ProcessState;
import dev.parley.workflows.engine.WorkflowError;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Mutable state of one decision about a process: maps the engine's effects and events to events and reactions. */
final class InstanceDraft {
    private final ProcessInstance before;
    private final boolean isNew;
    private final EngineContext engine;
    private final @Nullable String user;
    private final @Nullable String comment;
    private final List<WorkflowEvent> events = new ArrayList<>();
    private final List<Reaction> reactions = new ArrayList<>();
    private final PendingCalls calls;
    private final OpenTasks tasks;
    private final EventSubscriptions subscriptions;
    private final EndNotification end;
    private ProcessState state;
    private Json business;
    private long seq;
    private boolean yielded;
    private boolean overdue;

    /** @param user the user who caused the decision, or null */
    InstanceDraft(ProcessInstance instance, EngineContext engine, @Nullable String user) {
        this(instance, engine, user, null);
    }

    /**
     * @param user the user who caused the decision, or null
     * @param comment what this user says about it, or null
     */
    InstanceDraft(ProcessInstance instance, EngineContext engine, @Nullable String user, @Nullable String comment) {
        this.before = instance;
        this.engine = engine;
        this.user = user;
        this.comment = comment;
        isNew = instance.lastSeq() == 0;
        state = instance.state();
        business = instance.business();
        seq = instance.lastSeq();
        overdue = instance.overdue();
        calls = new PendingCalls(this);
        tasks = new OpenTasks(this);
        subscriptions = new EventSubscriptions(this);
        end = new EndNotification(this);
    }

    /** A new process. */
    static InstanceDraft start(StartProcess command, Workflow workflow, String digest, EngineContext engine) {
        ProcessDecision decision = ProcessMachine.start(workflow, input(command), engine);
        ProcessInstance instance = ProcessInstance.start(command, workflow, digest, decision.state());
        var draft = new InstanceDraft(instance, engine, command.meta().user());
        draft.publish(meta -> new ProcessStarted(
                meta,
                command.definitionId(),
                workflow.reference(),
                command.instanceId(),
                command.input(),
                command.business(),
                command.parent() == null ? null : command.parent().process().id(),
                command.origin(),
                decision.state().deadline()));
        draft.apply(decision);
        CommandMeta meta = command.meta();
        InstanceMachine.reply(meta, () -> InstanceMachine.processShown(draft.instance(), meta))
                .forEach(draft::react);
        return draft;
    }

    private static ProcessInput.Start input(StartProcess command) {
        var from = command.from() == null ? null : ProcessInput.From.of(JsonText.read(command.from()));
        return new ProcessInput.Start(command.process().id().toString(), JsonText.read(command.input()), from);
    }

    ProcessInstance before() {
        return before;
    }

    Instant now() {
        return engine.now();
    }

    OpenTasks tasks() {
        return tasks;
    }

    EndNotification end() {
        return end;
    }

    void apply(ProcessInput input) {
        apply(ProcessMachine.decide(before.workflow(), state, input, engine));
    }

    /** A result or the progress of a call; ignored if the call is not pending. */
    void apply(CallResult result) {
        Optional<WorkRequest> pending = calls.find(result.callId());
        if (pending.isEmpty()) {
            return;
        }
        WorkRequest call = pending.get();
        switch (result) {
            case CallProgress _ -> calls.renew(call);
            case WorkAnswered answered when answered.output() == null && answered.error() == null -> calls.await(call);
            case WorkAnswered answered -> complete(call, read(answered.output()), error(answered.error()));
            case ChildFinished child
            when child.state() == TurnState.COMPLETED -> complete(call, AgentReply.of(child.reply()), null);
            case ChildFinished child -> fail(call, Standard.RUNTIME.error(endOfTurn(child), ""));
            case ModelFailed failed -> fail(call, Standard.RUNTIME.error(failed.detail(), ""));
            // not results of a process's call
            case CallResult.ModelAnswered _, CallResult.ToolAnswered _, CallResult.Settled _ -> {}
            case CallResult.Embedded _, CallResult.Found _, CallResult.RetryAfter _ -> {}
        }
    }

    private static String endOfTurn(ChildFinished child) {
        return "the agent's turn ended as " + child.state().name().toLowerCase(Locale.ROOT) + ": " + child.reply();
    }

    private static Json read(@Nullable String json) {
        return json == null ? Values.NULL : JsonText.read(json);
    }

    private static @Nullable WorkflowError error(@Nullable String json) {
        return json == null ? null : WorkflowError.of(JsonText.read(json));
    }

    private void fail(WorkRequest call, WorkflowError error) {
        complete(call, Values.NULL, error);
    }

    private void complete(WorkRequest call, Json output, @Nullable WorkflowError error) {
        calls.remove(call);
        apply(new ProcessInput.Result(call.callKey(), output, error));
    }

    /** Closes a task with an answer or an error. */
    void answer(HumanTask task, ProcessInput.Answer answer, TaskChange change, @Nullable String comment) {
        tasks.publish(task, change, comment);
        apply(answer);
        tasks.remove(task);
    }

    /** Handles the leases, claims, deadlines and timers that are due. */
    void tick() {
        if (state.phase().isFinal()) {
            if (isRetentionOver()) {
                react(new Reaction.RemoveProcess());
            }
            return;
        }
        for (WorkRequest call : calls.list()) {
            if (calls.isPending(call)) { // the failure of an earlier call may have cancelled it
                calls.expire(call).ifPresent(error -> fail(call, error));
            }
        }
        tasks.lapseClaims();
        if (isLate()) {
            reportOverdue();
        }
        apply(new ProcessInput.Tick());
    }

    private boolean isLate() {
        Instant deadline = deadline();
        return !overdue && deadline != null && !deadline.isAfter(now());
    }

    /** Reports a missed deadline once, as an event and an audit entry. */
    private void reportOverdue() {
        Instant deadline = Objects.requireNonNull(deadline());
        overdue = true;
        publish(meta -> new ProcessOverdue(meta, deadline));
        ProcessRef process = before.process();
        react(new Reaction.WriteAudit(new AuditEntry(
                Ids.of("overdue", process.id(), deadline),
                process.host(),
                RecordKey.projectId(process.project()),
                "process",
                "overdue",
                process.id().toString(),
                before.user(),
                null,
                null,
                now(),
                true,
                "its deadline was " + deadline)));
    }

    /** Changes business keys. */
    void setKeys(Json keys) {
        Json merged = BusinessKeys.with(business, keys);
        if (!merged.equals(business)) {
            replaceKeys(merged);
            publish(meta -> processChanged(meta, null, business.toString()));
        }
    }

    private void replaceKeys(Json keys) {
        overdue = overdue && keys.get(BusinessKeys.DEADLINE).equals(business.get(BusinessKeys.DEADLINE));
        business = keys;
    }

    private boolean isRetentionOver() {
        Instant completedAt = state.completedAt();
        return completedAt != null
                && !completedAt.plus(InstanceMachine.RETENTION).isAfter(now());
    }

    private void apply(ProcessDecision decision) {
        ProcessState previous = state;
        state = decision.state();
        boolean isSame = state.context().equals(previous.context()) && !isNew;
        Json keys = isSame ? business : BusinessKeys.updatedFrom(business, state.context());
        boolean changesKeys = !keys.equals(business);
        replaceKeys(keys);
        long last = previous.order();
        for (int i = 0; i < decision.events().size(); i++) {
            publish(decision.events().get(i), i == 0, last);
        }
        decision.effects().forEach(this::apply);
        if (state != previous || isNew) {
            publish(meta -> processChanged(
                    meta, isSame ? null : state.context().toString(), changesKeys ? business.toString() : null));
        }
        if (state.phase().isFinal() && (!previous.phase().isFinal() || isNew)) {
            calls.clear();
            subscriptions.clear();
            end.onEnded(instance());
        }
    }

    private ProcessChanged processChanged(WorkflowMeta meta, @Nullable String context, @Nullable String keys) {
        return new ProcessChanged(
                meta,
                state.phase(),
                context,
                state.output().isNull() ? null : state.output().toString(),
                state.error() == null ? null : state.error().toJson().toString(),
                keys,
                ProcessMachine.next(before.workflow(), state),
                ProcessMachine.nextDue(state).orElse(null));
    }

    /** Stops all calls and subscriptions without events; only waiting clients are notified. */
    List<Reaction> erase() {
        calls.cancelAll();
        subscriptions.clear();
        end.onErased();
        react(new Reaction.RemoveProcess());
        return reactions;
    }

    /**
     * Publishes an event. The user's comment is about the task that changes first, and about tasks that ran before, not
     * about those that follow from the decision.
     *
     * @param isFirst whether the event is the first of its decision
     * @param last order of the last task that had started before
     */
    private void publish(ProcessEvent event, boolean isFirst, long last) {
        switch (event) {
            case ProcessEvent.TaskChanged task ->
                publish(meta -> new TaskChanged(
                        meta.with(task.at(), isFirst || task.order() <= last ? comment : null),
                        task.order(),
                        task.name(),
                        task.type(),
                        task.pointer(),
                        task.path(),
                        task.attempt(),
                        task.phase(),
                        task.begins() ? task.input().toString() : null,
                        task.output().isNull()
                                ? null
                                : tasks.hideSensitive(task).toString(),
                        task.error() == null ? null : task.error().toJson().toString()));
            case ProcessEvent.ProcessChanged _, ProcessEvent.ContextChanged _ -> {} // published once per decision
        }
    }

    private void apply(ProcessEffect effect) {
        switch (effect) {
            case ProcessEffect.Call call -> calls.request(call);
            case ProcessEffect.CancelCall(String key) -> calls.cancel(key);
            case ProcessEffect.Ask ask -> tasks.ask(ask);
            case ProcessEffect.Escalate escalate -> tasks.escalate(escalate);
            case ProcessEffect.CancelAsk(long order) -> tasks.withdraw(order);
            case ProcessEffect.Emit(Json event) -> emit(event);
            case ProcessEffect.Listen listen -> subscriptions.add(listen);
            case ProcessEffect.CancelListen(long order) -> subscriptions.remove(order);
            case ProcessEffect.Yield _ -> yielded = true;
        }
    }

    private void emit(Json event) {
        String type = event.get("type").display();
        EventRouter.keys(before.process().project(), type)
                .forEach(router -> send(meta -> new PublishEvent(meta, router, event.toString())));
    }

    void publish(Function<WorkflowMeta, WorkflowEvent> event) {
        events.add(event.apply(new WorkflowMeta(before.process(), ++seq, now(), user, comment)));
    }

    void react(Reaction reaction) {
        reactions.add(reaction);
    }

    void send(Function<CommandMeta, WorkflowCommand> command) {
        react(new Reaction.SendCommand(command.apply(meta())));
    }

    /** Metadata of the next command of this decision. */
    CommandMeta meta() {
        UUID id = Ids.of("given", before.process().id(), seq, reactions.size());
        return new CommandMeta(id, before.process().host(), now(), before.user(), null, null)
                .by(Actor.process(before.process().id()));
    }

    private ProcessInstance instance() {
        return before.with()
                .state(state)
                .business(business)
                .lastSeq(seq)
                .due(due())
                .calls(calls.list())
                .tasks(tasks.list())
                .waiters(end.waiters())
                .subscriptions(subscriptions.list())
                .overdue(overdue)
                .build();
    }

    private @Nullable Instant deadline() {
        return ProcessInstance.deadline(business, state);
    }

    private @Nullable Instant due() {
        if (yielded) {
            return now();
        }
        if (state.phase().isFinal()) {
            Instant completedAt = Objects.requireNonNull(state.completedAt(), "completedAt of an ended process");
            return completedAt.plus(InstanceMachine.RETENTION);
        }
        return Stream.of(
                        ProcessMachine.nextDue(state).stream(),
                        Stream.ofNullable(overdue ? null : deadline()),
                        calls.list().stream().map(WorkRequest::leaseUntil),
                        tasks.stream().map(HumanTask::claimedUntil).flatMap(Stream::ofNullable))
                .flatMap(stream -> stream)
                .min(Instant::compareTo)
                .orElse(null);
    }

    InstanceDecision decision() {
        return new InstanceDecision(instance(), events, reactions);
    }

    /** The decision, with the outcome of its command. */
    InstanceDecision accept(CommandMeta meta) {
        Outcome outcome = InstanceMachine.processShown(instance(), meta);
        react(new Reaction.RememberOutcome(meta.commandId(), outcome));
        return reply(meta, outcome);
    }

    /** The decision, with a reply to its command. */
    InstanceDecision reply(CommandMeta meta, Outcome outcome) {
        InstanceMachine.reply(meta, () -> outcome).forEach(this::react);
        return decision();
    }
}
