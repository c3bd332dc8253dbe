package dev.parley.server.sessionreplay;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.ChildFinished;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.AnswerCall;
import dev.parley.domain.protocol.TurnCommand.DecideApproval;
import dev.parley.domain.protocol.TurnCommand.ImportSession;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.ApprovalRequested;
import dev.parley.domain.protocol.TurnEvent.ToolRequested;
import dev.parley.domain.protocol.TurnInput;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.turn.DecisionContext;
import dev.parley.domain.turn.TurnDecision;
import dev.parley.domain.turn.TurnEffect;
import dev.parley.domain.turn.TurnMachine;
import dev.parley.platform.regex.CompiledPatterns;
import dev.parley.platform.schedule.Cron;
import dev.parley.platform.schema.CompiledSchemas;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An isolated session in memory that runs the turn machine for one turn. Models are called, tool calls get their
 * recorded results, and all other effects (replies, memory, rules, tasks of other sessions) are dropped.
 */
final class SandboxSession {
    private static final Duration TICK = Duration.ofMillis(50);

    private final RecordKey key;
    private final Definitions definitions;
    private final ModelCaller models;
    private final RecordedResults results;
    private final ReplayBounds bounds;
    private final InstantSource clock;
    private final CompiledPatterns patterns = new CompiledPatterns();
    private final CompiledSchemas schemas = new CompiledSchemas();
    private final NavigableMap<Long, Entry> entries = new TreeMap<>();
    private final Map<UUID, Outcome> outcomes = new HashMap<>();
    private final List<TurnEvent> events = new ArrayList<>();
    private final Deque<TurnInput> inputs = new ArrayDeque<>();
    private final Deque<TurnEffect.RequestModel> modelCalls = new ArrayDeque<>();
    private final Deque<TurnEffect.RequestModel> summaries = new ArrayDeque<>();
    private SessionState state;
    private int approved;
    private int withheld;

    SandboxSession(
            RecordKey key,
            Definitions definitions,
            ModelCaller models,
            RecordedResults results,
            ReplayBounds bounds,
            InstantSource clock) {
        this.key = key;
        this.definitions = definitions;
        this.models = models;
        this.results = results;
        this.bounds = bounds;
        this.clock = clock;
        this.state = SessionState.initial(key);
    }

    /**
     * Applies the events before the turn.
     *
     * @throws IllegalStateException where they are invalid
     */
    void importHistory(List<TurnEvent> history, UUID host) {
        if (history.isEmpty()) {
            return;
        }
        UUID id = Ids.of("replay", key);
        var meta = new CommandMeta(id, host, clock.instant(), null, null, null);
        decide(new ImportSession(meta, id, 0, 1, history));
        if (outcomes.get(id) instanceof Outcome.Refused refused) {
            throw new IllegalStateException("the history cannot be imported: " + refused.message());
        }
        events.clear();
        withheld = 0;
    }

    /** Submits a recorded turn, and returns when it is answered or a limit is reached. */
    ReplayedTurn answer(RecordedTurn turn, String agent) throws InterruptedException {
        decide(submission(turn, agent));
        if (outcomes.get(turn.id()) instanceof Outcome.Refused refused) {
            throw new IllegalStateException(refused.message());
        }
        String stopped = run(turn.id());
        return new ReplayedTurn(TurnAnswer.of(turn.id(), events), results.missing(), approved, withheld, stopped);
    }

    /** Whoever owns the session; unknown before the first turn. */
    private Actor sender() {
        return state.session() == null ? Actor.UNKNOWN : state.open().ownedBy(key);
    }

    private SubmitTurn submission(RecordedTurn turn, String agent) {
        var accepted = turn.accepted();
        var meta = new CommandMeta(turn.id(), accepted.meta().host(), clock.instant(), accepted.user(), null, null)
                .by(sender());
        return new SubmitTurn(
                meta,
                accepted.origin(),
                accepted.originRef(),
                MailboxMode.FOLLOWUP,
                agent,
                settings(accepted.settings()),
                turn.content(),
                "replay",
                null,
                null,
                null,
                accepted.shared(),
                null,
                accepted.tools());
    }

    /** Memory is off, as recalled memories are not recorded. The model is that of the agent. */
    private static Settings settings(@Nullable Settings recorded) {
        Settings original = recorded == null ? Settings.NONE : recorded;
        var options = new HashMap<>(original.options());
        options.put(Agent.MEMORY, "none");
        return new Settings(
                null, original.thinking(), original.temperature(), original.topP(), original.maxTokens(), options);
    }

    /** @return the reason of a stop, or null */
    private @Nullable String run(UUID turn) throws InterruptedException {
        while (!(outcomes.get(turn) instanceof Outcome.Finished)) {
            Optional<String> stop = bounds.reachedLimit(clock.instant());
            if (stop.isPresent()) {
                cancel(turn, stop.get());
                return stop.get();
            }
            if (!inputs.isEmpty()) {
                decide(inputs.removeFirst());
            } else if (!modelCalls.isEmpty()) {
                callModel(modelCalls.removeFirst());
            } else if (!summaries.isEmpty()) {
                callModel(summaries.removeFirst()); // the turn waits for the context that it frees
            } else {
                awaitNext();
            }
        }
        return null;
    }

    private void cancel(UUID turn, String reason) {
        decide(new TurnCommand.CancelTurn(meta(Ids.of("stop", turn), null), turn, reason));
        if (state.active() != null) {
            var model = state.active().model();
            if (model != null) { // without a partial answer
                decide(new CallResult.ModelFailed(
                        model.callId(), model.attempt(), ErrorCategory.CANCELLED, reason, null, List.of()));
            }
        }
    }

    /** Waits for the next timer of the turn, such as the delay of a retry. */
    private void awaitNext() throws InterruptedException {
        Instant due =
                TurnMachine.nextDue(state).orElseThrow(() -> new IllegalStateException("the turn waits for nothing"));
        Instant end = bounds.deadline().isBefore(due) ? bounds.deadline() : due;
        while (clock.instant().isBefore(end)) {
            Thread.sleep(TICK);
        }
        decide(new TurnInput.Tick());
    }

    private void callModel(TurnEffect.RequestModel effect) throws InterruptedException {
        var request = effect.request(
                state.open(), entries.subMap(effect.from(), effect.to()).values());
        CallResult result = models.call(request, bounds.timeLeft(clock.instant()));
        if (result instanceof CallResult.ModelAnswered answered) {
            bounds.add(answered.usage());
        }
        decide(result);
    }

    private void decide(TurnInput input) {
        TurnDecision decision = TurnMachine.decide(
                state,
                input,
                new DecisionContext(
                        clock.instant(),
                        definitions,
                        patterns.decision(key.project()),
                        schemas.decision(key.project()),
                        Cron::next,
                        index -> Objects.requireNonNull(entries.get(index), "an entry of the context"),
                        id -> Optional.ofNullable(outcomes.get(id))));
        state = decision.state();
        events.addAll(decision.events());
        decision.effects().forEach(this::apply);
        if (!(input instanceof ImportSession)) { // the history contains its answers
            decision.events().forEach(this::answer);
        }
    }

    /** Answers the events that wait for a user or client. */
    private void answer(TurnEvent event) {
        if (event instanceof ApprovalRequested question) {
            approve(question);
        } else if (event instanceof ToolRequested call
                && call.version().equals(ToolSpec.OF_CALLER)
                && state.active() != null) {
            answerClientTool(call, state.active());
        }
    }

    private CommandMeta meta(UUID id, @Nullable String user) {
        return new CommandMeta(id, state.open().host(), clock.instant(), user, null, null);
    }

    /** Approves every call, as none is executed. */
    private void approve(ApprovalRequested question) {
        approved++;
        CommandMeta meta = meta(Ids.of("approve", question.approvalId()), question.user());
        inputs.add(new DecideApproval(meta, question.approvalId(), ApprovalAnswer.ONCE));
    }

    /** Answers a client-side tool call from the record. */
    private void answerClientTool(ToolRequested call, ActiveTurn turn) {
        RecordedCall result = results.answer(call.name(), call.arguments());
        CommandMeta meta = meta(Ids.of("result", call.callId()), turn.turn().user());
        inputs.add(new AnswerCall(meta, call.callId(), result.content(), result.status() != ToolStatus.COMPLETED));
    }

    private void apply(TurnEffect effect) {
        switch (effect) {
            case TurnEffect.StoreEntry store -> entries.put(store.index(), store.entry());
            case TurnEffect.DeleteEntries delete ->
                entries.subMap(delete.from(), delete.to()).clear();
            case TurnEffect.StoreOutcome outcome -> outcomes.put(outcome.commandId(), outcome.outcome());
            case TurnEffect.RequestModel call ->
                (call.purpose() == ModelRequest.Purpose.SUMMARY ? summaries : modelCalls).add(call);
            case TurnEffect.RequestTool call -> answerTool(call);
            case TurnEffect.SendCommand send -> answerDelegation(send.command());
            case TurnEffect.DeliverReply _ -> withheld++;
            case TurnEffect.SendBankCommand _,
                    TurnEffect.ReportTakeOver _,
                    TurnEffect.RequestRule _,
                    TurnEffect.CancelModel _,
                    TurnEffect.CancelTool _,
                    TurnEffect.SendContext _,
                    TurnEffect.SendResult _,
                    TurnEffect.PublishDelta _,
                    TurnEffect.SendOutcome _,
                    TurnEffect.EraseSession _ -> {}
        }
    }

    private void answerTool(TurnEffect.RequestTool effect) {
        RecordedCall result =
                results.answer(effect.request().name(), effect.request().arguments());
        inputs.add(new ToolAnswered(
                effect.request().callId(), effect.request().attempt(), result.status(), result.content()));
    }

    /** Answers a delegation from the record. */
    private void answerDelegation(TurnCommand command) {
        ActiveTurn turn = state.active();
        if (!(command instanceof SubmitTurn submit) || submit.parent() == null || turn == null) {
            return;
        }
        UUID callId = submit.parent().callId();
        turn.calls().stream()
                .filter(call -> call.callId().equals(callId))
                .findFirst()
                .map(call -> results.answer(call.name(), call.arguments()))
                .ifPresent(result -> inputs.add(new ChildFinished(
                        callId,
                        1,
                        submit.meta().commandId(),
                        result.status() == ToolStatus.COMPLETED ? TurnState.COMPLETED : TurnState.FAILED,
                        result.content())));
    }
}
