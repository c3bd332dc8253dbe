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
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.workflow.EventRouter;
import dev.parley.domain.workflow.HumanTask;
import dev.parley.domain.workflow.HumanTask.Assignee;
import dev.parley.domain.workflow.StoredProcess.ProcessWaiter;
import dev.parley.domain.workflow.StoredProcess.Subscription;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.domain.workflow.WorkflowCommand;
import dev.parley.domain.workflow.WorkflowCommand.Control;
import dev.parley.domain.workflow.WorkflowCommand.ControlProcess;
import dev.parley.domain.workflow.WorkflowCommand.PublishEvent;
import dev.parley.domain.workflow.WorkflowCommand.StartProcess;
import dev.parley.domain.workflow.WorkflowEvent;
import dev.parley.domain.workflow.WorkflowEvent.HumanTaskChanged;
import dev.parley.domain.workflow.WorkflowEvent.ProcessChanged;
import dev.parley.domain.workflow.WorkflowEvent.ProcessOverdue;
import dev.parley.domain.workflow.WorkflowEvent.ProcessStarted;
import dev.parley.domain.workflow.WorkflowEvent.TaskChange;
import dev.parley.domain.workflow.WorkflowEvent.TaskChanged;
import dev.parley.domain.workflow.WorkflowMeta;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.engine.Effect;
import dev.parley.workflows.engine.EngineContext;
import dev.parley.workflows.engine.ProcessDecision;
import dev.parley.workflows.engine.ProcessEvent;
import dev.parley.workflows.engine.ProcessInput;
import dev.parley.workflows.engine.ProcessMachine;
import dev.parley.workflows.engine.ProcessState;
import dev.parley.workflows.engine.WorkflowError;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import dev.parley.workflows.people.Question;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Mutable state of one decision about a process: collects its events and reactions.
 *
 * <p>It is long because it translates each effect and each event of the engine.
 */
final class InstanceDraft {
    /** Default timeout of a call. */
    private static final Duration CALL_TIMEOUT = Duration.ofMinutes(5);

    /** Default timeout of workflows and agents. */
    private static final Duration LONG_CALL_TIMEOUT = Duration.ofDays(365);

    private static final Set<String> LONG_CALLS = Set.of("workflow", "agent");

    /** How often a call is requested before it fails. */
    private static final int MAX_ATTEMPTS = 5;

    private static final int MAX_WAITERS = 100;
    private static final String STOPPED = "stopped by the process that started it";

    private final Instance before;
    private final boolean isNew;
    private final EngineContext surroundings;
    private final @Nullable String by;
    private final List<WorkflowEvent> events = new ArrayList<>();
    private final List<Reaction> reactions = new ArrayList<>();
    private final SequencedMap<String, WorkRequest> calls = new LinkedHashMap<>();
    private final SequencedMap<Long, HumanTask> tasks = new LinkedHashMap<>();
    private final List<ProcessWaiter> waiters;
    private final List<Subscription> subscriptions;
    private ProcessState state;
    private Json business;
    private long seq;
    private boolean again;
    private boolean overdue;

    /** @param by the user who caused the decision, or null */
    InstanceDraft(Instance instance, EngineContext surroundings, @Nullable String by) {
        this(instance, surroundings, by, false);
    }

    private InstanceDraft(Instance instance, EngineContext surroundings, @Nullable String by, boolean isNew) {
        this.before = instance;
        this.isNew = isNew;
        this.surroundings = surroundings;
        this.by = by;
        instance.calls().forEach(call -> calls.put(call.callKey(), call));
        instance.tasks().forEach(task -> tasks.put(task.taskOrder(), task));
        waiters = new ArrayList<>(instance.waiters());
        subscriptions = new ArrayList<>(instance.subscriptions());
        state = instance.state();
        business = instance.business();
        seq = instance.lastSeq();
        overdue = instance.overdue();
    }

    /** A new process. */
    static InstanceDraft fresh(StartProcess command, Workflow workflow, String digest, EngineContext surroundings) {
        ProcessRef process = command.process();
        Json input = JsonText.read(command.input());
        ProcessDecision begun = ProcessMachine.start(
                workflow, new ProcessInput.Start(process.id().toString(), input, from(command.from())), surroundings);
        Instance instance = Instance.fresh(command, workflow, digest, begun.state());
        var draft = new InstanceDraft(instance, surroundings, command.meta().user(), true);
        draft.publish(meta -> new ProcessStarted(
                meta,
                command.definitionId(),
                workflow.reference(),
                command.instanceId(),
                command.input(),
                command.business(),
                command.parent() == null ? null : command.parent().process().id(),
                command.origin(),
                begun.state().deadline()));
        draft.apply(begun);
        Integer partition = command.meta().outcomePartition();
        if (partition != null) {
            Instance now = draft.instance();
            draft.reactions.add(new Reaction.Reply(partition, InstanceMachine.shown(now, command.meta())));
        }
        return draft;
    }

    private static ProcessInput.@Nullable From from(@Nullable String json) {
        if (json == null) {
            return null;
        }
        Json from = JsonText.read(json);
        return new ProcessInput.From(from.get("task").display(), from.get("input"), from.get("context"));
    }

    Instance before() {
        return before;
    }

    Instant now() {
        return surroundings.now();
    }

    // ---- what happens

    void take(ProcessInput input) {
        apply(ProcessMachine.decide(before.workflow(), state, input, surroundings));
    }

    /** A result or the progress of a call; ignored if the call is not pending. */
    void take(CallResult result) {
        Optional<WorkRequest> asked = calls.values().stream()
                .filter(call -> call.callId().equals(result.callId()))
                .findFirst();
        if (asked.isEmpty()) {
            return;
        }
        WorkRequest call = asked.get();
        switch (result) {
            case CallProgress _ -> calls.put(call.callKey(), call.leased(now().plus(InstanceMachine.LEASE)));
            case WorkAnswered answered
            when answered.output() == null && answered.error() == null ->
                calls.put(call.callKey(), call.leased(call.deadline())); // the result is reported by another process
            case WorkAnswered answered -> end(call, read(answered.output()), error(answered.error()));
            case ChildFinished child -> end(call, child);
            case ModelFailed failed -> end(call, Values.NULL, Standard.RUNTIME.error(failed.detail(), ""));
            default -> {} // not a result of a process's call
        }
    }

    private static Json read(@Nullable String json) {
        return json == null ? Values.NULL : JsonText.read(json);
    }

    private static @Nullable WorkflowError error(@Nullable String json) {
        return json == null ? null : WorkflowError.of(JsonText.read(json));
    }

    private void end(WorkRequest call, ChildFinished child) {
        boolean done = child.state() == TurnState.COMPLETED;
        Json reply = AgentReply.of(child.reply());
        end(
                call,
                done ? reply : Values.NULL,
                done
                        ? null
                        : Standard.RUNTIME.error(
                                "the agent's turn ended as "
                                        + child.state().name().toLowerCase(Locale.ROOT) + ": "
                                        + child.reply(),
                                ""));
    }

    private void end(WorkRequest call, Json output, @Nullable WorkflowError error) {
        calls.remove(call.callKey());
        take(new ProcessInput.Result(call.callKey(), output, error));
    }

    /** Handles everything that is due. */
    void tick() {
        if (state.phase().isFinal()) {
            if (isForgotten()) {
                reactions.add(new Reaction.RemoveProcess());
            }
            return;
        }
        List.copyOf(calls.values()).forEach(this::lapse);
        List.copyOf(tasks.values()).forEach(task -> {
            Instant until = task.claimedUntil();
            if (until != null && !until.isAfter(now())) {
                change(task.claimed(null, null), TaskChange.CLAIM_LAPSED, null);
            }
        });
        if (isLate()) {
            late();
        }
        take(new ProcessInput.Tick());
    }

    private boolean isLate() {
        Instant deadline = deadline();
        return !overdue && deadline != null && !deadline.isAfter(now());
    }

    /** Reports a missed deadline once, as an event and an audit entry. */
    private void late() {
        Instant deadline = Objects.requireNonNull(deadline());
        overdue = true;
        publish(meta -> new ProcessOverdue(meta, deadline));
        ProcessRef process = before.process();
        reactions.add(new Reaction.WriteAudit(new AuditEntry(
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
    void set(Json keys) {
        Json other = BusinessKeys.with(business, keys);
        if (!other.equals(business)) {
            rekeyed(other);
            publish(meta -> changed(meta, null, business.toString()));
        }
    }

    private void rekeyed(Json keys) {
        overdue = overdue && keys.get(BusinessKeys.DEADLINE).equals(business.get(BusinessKeys.DEADLINE));
        business = keys;
    }

    private boolean isForgotten() {
        Instant ended = state.completedAt();
        return ended != null && !ended.plus(InstanceMachine.RETENTION).isAfter(now());
    }

    /** Retries a call whose lease has expired, until its deadline. */
    private void lapse(WorkRequest call) {
        if (call.leaseUntil().isAfter(now())) {
            return;
        }
        if (!call.deadline().isAfter(now())) {
            end(call, Values.NULL, Standard.TIMEOUT.error("nobody has answered in time", ""));
        } else if (call.attempt() >= MAX_ATTEMPTS) {
            end(call, Values.NULL, Standard.COMMUNICATION.error("no worker has answered", ""));
        } else {
            ask(call.again(now().plus(InstanceMachine.LEASE)));
        }
    }

    /** Registers a client that awaits the end. @return false if there are too many */
    boolean wait(UUID commandId, int partition) {
        var waiter = new ProcessWaiter(commandId, partition);
        if (waiters.contains(waiter)) {
            return true;
        }
        return waiters.size() < MAX_WAITERS && waiters.add(waiter);
    }

    // ---- what the machine decides

    private void apply(ProcessDecision decisions) {
        ProcessState was = state;
        state = decisions.state();
        boolean isSame = state.context().equals(was.context()) && !isNew;
        Json keys = isSame ? business : BusinessKeys.of(business, state.context());
        boolean changed = !keys.equals(business);
        rekeyed(keys);
        decisions.events().forEach(this::publish);
        decisions.effects().forEach(this::carryOut);
        if (state != was || isNew) {
            publish(meta ->
                    changed(meta, isSame ? null : state.context().toString(), changed ? business.toString() : null));
        }
        if (state.phase().isFinal() && (!was.phase().isFinal() || isNew)) {
            ended();
        }
    }

    private ProcessChanged changed(WorkflowMeta meta, @Nullable String context, @Nullable String keys) {
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

    private void ended() {
        calls.clear();
        Set<String> known = types();
        subscriptions.clear();
        route(known);
        notifyEnd();
    }

    private void notifyEnd() {
        Instance now = instance();
        waiters.forEach(waiter -> reactions.add(new Reaction.Reply(
                waiter.partition(),
                new Outcome.ProcessShown(
                        before.process().key(),
                        waiter.commandId(),
                        ProcessJson.of(now).toString()))));
        waiters.clear();
        RecordKey schedule = before.schedule();
        if (schedule != null) {
            send(meta -> new WorkflowCommand.ScheduledEnded(
                    meta, schedule, before.process().id()));
        }
        if (before.parent() != null) {
            WorkflowError error = state.error();
            reactions.add(new Reaction.ReportResult(
                    before.parent(),
                    new WorkAnswered(
                            before.parent().callId(),
                            before.parent().attempt(),
                            error == null ? state.output().toString() : null,
                            error == null ? null : error.toJson().toString())));
        }
    }

    /** Stops all calls and subscriptions without events; only waiting clients are notified. */
    List<Reaction> erased() {
        List.copyOf(calls.keySet()).forEach(this::stop);
        Set<String> known = types();
        subscriptions.clear();
        route(known);
        RecordKey key = before.process().key();
        waiters.forEach(waiter ->
                reactions.add(new Reaction.Reply(waiter.partition(), Outcome.erased(key, waiter.commandId()))));
        reactions.add(new Reaction.RemoveProcess());
        return reactions;
    }

    private void publish(ProcessEvent event) {
        switch (event) {
            case ProcessEvent.TaskChanged task ->
                publish(meta -> new TaskChanged(
                        new WorkflowMeta(meta.process(), meta.seq(), task.at(), by),
                        task.order(),
                        task.name(),
                        task.type(),
                        task.pointer(),
                        task.path(),
                        task.attempt(),
                        task.phase(),
                        task.begins() ? task.input().toString() : null,
                        task.output().isNull() ? null : shown(task).toString(),
                        task.error() == null ? null : task.error().toJson().toString()));
            case ProcessEvent.ProcessChanged _, ProcessEvent.ContextChanged _ -> {} // published once per decision
        }
    }

    /** The output without sensitive answers. */
    private Json shown(ProcessEvent.TaskChanged task) {
        HumanTask asked = tasks.get(task.order());
        return asked == null ? task.output() : new Question(JsonText.read(asked.question())).shown(task.output());
    }

    private void carryOut(Effect effect) {
        switch (effect) {
            case Effect.Call call -> ask(call);
            case Effect.CancelCall(String key) -> stop(key);
            case Effect.Ask ask -> ask(ask);
            case Effect.Escalate escalate -> escalate(escalate);
            case Effect.CancelAsk(long order) -> {
                HumanTask task = tasks.remove(order);
                if (task != null) {
                    publish(meta -> new HumanTaskChanged(meta, task, TaskChange.WITHDRAWN, null));
                }
            }
            case Effect.Emit(Json event) -> emit(event);
            case Effect.Listen listen -> listen(listen);
            case Effect.CancelListen(long order) -> stopListening(order);
            case Effect.Yield _ -> again = true;
        }
    }

    // ---- calls

    private void ask(Effect.Call call) {
        Duration most = call.timeout() != null
                ? call.timeout()
                : LONG_CALLS.contains(call.function()) ? LONG_CALL_TIMEOUT : CALL_TIMEOUT;
        ask(new WorkRequest(
                Ids.of("work", before.process().id(), call.key()),
                1,
                before.process(),
                call.key(),
                call.name(),
                call.function(),
                call.arguments().toString(),
                call.idempotencyKey(),
                before.user(),
                before.depth(),
                now().plus(InstanceMachine.LEASE),
                now().plus(most)));
    }

    private void ask(WorkRequest request) {
        calls.put(request.callKey(), request);
        reactions.add(new Reaction.RequestWork(request));
    }

    private void stop(String key) {
        WorkRequest call = calls.remove(key);
        if (call != null) {
            reactions.add(new Reaction.CancelWork(call.callId()));
            switch (call.function()) {
                case "workflow" -> {
                    ProcessRef child = InstanceMachine.child(before.process(), call.callId());
                    send(meta -> new ControlProcess(meta, child, Control.CANCEL, STOPPED));
                }
                case "agent" -> {
                    AgentSession session = AgentSession.of(call);
                    var cancel = new TurnCommand.CancelTurn(meta(), session.turn(), STOPPED);
                    reactions.add(new Reaction.CancelTurn(session.key(), cancel));
                }
                default -> {} // its worker stops it
            }
        }
    }

    // ---- people

    private void ask(Effect.Ask ask) {
        HumanTask task = new HumanTask(
                ask.order(),
                ask.name(),
                ask.question().toString(),
                Assignments.of(ask.question().get("assignment"), now()),
                Assignments.priority(ask.question()),
                Assignments.lockGroup(ask.question()),
                null,
                null,
                ask.deadline(),
                0);
        tasks.put(task.taskOrder(), task);
        publish(meta -> new HumanTaskChanged(meta, task, TaskChange.ASKED, null));
    }

    /** Reassigns a task and drops its claim. */
    private void escalate(Effect.Escalate escalate) {
        HumanTask task = tasks.get(escalate.order());
        if (task != null) {
            List<Assignee> others = Assignments.of(escalate.question().get("assignment"), now());
            HumanTask now = task.escalated(escalate.question().toString(), others, escalate.deadline());
            change(now, TaskChange.ESCALATED, null);
        }
    }

    Stream<HumanTask> tasks() {
        return tasks.values().stream();
    }

    /** Updates a task. @param comment of the user who changed it, or null */
    void change(HumanTask task, TaskChange change, @Nullable String comment) {
        tasks.put(task.taskOrder(), task);
        publish(meta -> new HumanTaskChanged(meta, task, change, comment));
    }

    /** Closes a task with an answer or an error. */
    void answer(HumanTask task, ProcessInput.Answer answer, TaskChange change, @Nullable String comment) {
        publish(meta -> new HumanTaskChanged(meta, task, change, comment));
        take(answer);
        tasks.remove(task.taskOrder());
    }

    // ---- events

    private void emit(Json event) {
        String type = event.get("type").display();
        EventRouter.keys(before.process().project(), type)
                .forEach(router -> send(meta -> new PublishEvent(meta, router, event.toString())));
    }

    private void listen(Effect.Listen listen) {
        Set<String> known = types();
        subscriptions.add(new Subscription(listen.order(), List.copyOf(listen.types())));
        route(known);
    }

    private void stopListening(long order) {
        Set<String> known = types();
        subscriptions.removeIf(subscription -> subscription.taskOrder() == order);
        route(known);
    }

    /** Updates the subscriptions at the event routers. @param known the types that were subscribed before */
    private void route(Set<String> known) {
        Set<String> now = types();
        RecordKey self = before.process().key();
        now.stream()
                .filter(type -> !known.contains(type))
                .forEach(type -> send(meta -> new WorkflowCommand.Subscribe(meta, router(type), self)));
        known.stream()
                .filter(type -> !now.contains(type))
                .forEach(type -> send(meta -> new WorkflowCommand.Unsubscribe(meta, router(type), self)));
    }

    /** The subscribed event types; a subscription to all types replaces the others, so that no event arrives twice. */
    private Set<String> types() {
        var types = new LinkedHashSet<String>();
        subscriptions.forEach(subscription -> types.addAll(subscription.types()));
        return types.contains(EventRouter.EVERY) ? Set.of(EventRouter.EVERY) : types;
    }

    private RecordKey router(String type) {
        return EventRouter.key(before.process().project(), type);
    }

    // ---- results

    private void publish(Function<WorkflowMeta, WorkflowEvent> event) {
        events.add(event.apply(new WorkflowMeta(before.process(), ++seq, now(), by)));
    }

    private void send(Function<CommandMeta, WorkflowCommand> command) {
        reactions.add(new Reaction.SendCommand(command.apply(meta())));
    }

    /** Metadata of the next command of this decision. */
    private CommandMeta meta() {
        UUID id = Ids.of("given", before.process().id(), seq, reactions.size());
        return new CommandMeta(id, before.process().host(), now(), before.user(), null, null);
    }

    private Instance instance() {
        return before.with()
                .state(state)
                .business(business)
                .lastSeq(seq)
                .due(due())
                .calls(List.copyOf(calls.values()))
                .tasks(List.copyOf(tasks.values()))
                .waiters(waiters)
                .subscriptions(subscriptions)
                .overdue(overdue)
                .build();
    }

    private @Nullable Instant deadline() {
        return Instance.deadline(business, state);
    }

    private @Nullable Instant due() {
        if (again) {
            return now();
        }
        if (state.phase().isFinal()) {
            Instant ended = Objects.requireNonNull(state.completedAt(), "a process that has ended says when");
            return ended.plus(InstanceMachine.RETENTION);
        }
        return Stream.of(
                        ProcessMachine.nextDue(state).stream(),
                        Stream.ofNullable(overdue ? null : deadline()),
                        calls.values().stream().map(WorkRequest::leaseUntil),
                        tasks.values().stream().map(HumanTask::claimedUntil).flatMap(Stream::ofNullable))
                .flatMap(stream -> stream)
                .min(Instant::compareTo)
                .orElse(null);
    }

    Decided decided() {
        return new Decided(instance(), events, reactions);
    }

    /** The decision, with the outcome of its command. */
    Decided answered(CommandMeta meta) {
        Instance now = instance();
        Outcome outcome = InstanceMachine.shown(now, meta);
        reactions.add(new Reaction.RememberOutcome(meta.commandId(), outcome));
        if (meta.outcomePartition() != null) {
            reactions.add(new Reaction.Reply(meta.outcomePartition(), outcome));
        }
        return decided();
    }

    /** The decision, with a refusal of its command. */
    Decided refused(CommandMeta meta, Outcome refusal) {
        if (meta.outcomePartition() != null) {
            reactions.add(new Reaction.Reply(meta.outcomePartition(), refusal));
        }
        return decided();
    }
}
