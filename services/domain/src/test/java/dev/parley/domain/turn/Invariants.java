package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Names;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.content.Todo;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallerCall;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.PendingApproval;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.TurnInput;
import dev.parley.domain.protocol.origin.Parent;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.QueuedTurn;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.session.TurnStart;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Invariants of a session after every decision, one method each. Keeps the history that they need. */
final class Invariants {
    private final StoredSession session;
    private final Map<UUID, TurnAccepted> accepted = new HashMap<>();
    private final Set<UUID> started = new HashSet<>();
    private final Set<UUID> ended = new HashSet<>();
    private boolean wasHandedOff;
    private final Map<UUID, Set<Integer>> waiters = new HashMap<>();
    private final Map<UUID, ToolStatus> toolCalls = new HashMap<>();
    private final Set<UUID> replies = new HashSet<>();
    private final Set<UUID> answeredParents = new HashSet<>();
    private final Set<UUID> decided = new HashSet<>();
    private final MemoryInvariants memory = new MemoryInvariants();
    private long epoch = -1;
    private long turns;

    Invariants(StoredSession session) {
        this.session = session;
    }

    /** Checks a decision before its effects are carried out. */
    void checkDecision(SessionState before, TurnInput input, TurnDecision decisions, DecisionContext decisionContext) {
        eventsMakeTheState(before, decisions);
        eventNumbersAreDense(before, decisions.events());
        boolean repeated = input instanceof TurnCommand command && isKnown(command);
        if (input instanceof TurnCommand command && isOthers(before, command.meta())) {
            othersSessionsAreHidden(command, decisions);
        } else if (repeated) {
            aDuplicateRepeatsItsOutcome((TurnCommand) input, before, decisions);
        } else if (input instanceof TurnCommand command
                && SessionOwnership.decide(before, command, decisionContext.definitions())
                        == SessionOwnership.Verdict.HIDDEN) {
            assertEquals(List.of(), decisions.events(), "a command opened a session of somebody else");
        } else if (input instanceof TurnCommand.ListTodos question) {
            var answer = new Outcome.TodosListed(before.key(), question.meta().commandId(), before.todos());
            aQuestionIsAnsweredAndChangesNothing(question, answer, decisions);
        } else if (input instanceof TurnCommand.ListReminders question) {
            UUID id = question.meta().commandId();
            var answer = new Outcome.RemindersListed(before.key(), id, before.nextReminders(), before.quiet(), "UTC");
            aQuestionIsAnsweredAndChangesNothing(question, answer, decisions);
        } else if (input instanceof TurnCommand.ListCalls question) {
            var answer = new Outcome.CallsListed(
                    before.key(),
                    question.meta().commandId(),
                    callersCalls(before),
                    approvals(before),
                    before.active() == null ? null : before.active().usage());
            aQuestionIsAnsweredAndChangesNothing(question, answer, decisions);
        } else if (input instanceof TurnCommand command) {
            everyCommandHasOneOutcome(command, decisions.effects());
        } else if (input instanceof CallResult.Settled) {
            assertEquals(before.context(), decisions.state().context(), "what a person found out changed the context");
        } else if (input instanceof CallResult result && !awaits(before, result.callId())) {
            aLateResultChangesNothing(before, decisions);
        }
        decisions.events().forEach(event -> {
            epochsOnlyGrow(event);
            turnNumbersAreDense(event);
            aTurnStartsAndEndsOnce(event);
            aToolCallHasOneResult(event);
            aSummaryCutsBetweenTurns(before, event);
            aForkArrivesInOrder(before, event);
            aNewSessionStartsFromNothing(decisions.events(), event, decisions.state());
        });
        if (!repeated) {
            waitersAreNotifiedOnce(decisions);
        }
        aParentIsAnsweredOnce(input, decisions, repeated);
        aTurnIsRepliedToOnce(decisions.effects());
        aModelWithoutToolsEndsTheTurn(before, input, decisions);
        memory.checkDecision(before, input, decisions, decisionContext.definitions());
    }

    /** Checks the stored state after a decision. */
    void checkRest(TurnInput input, DecisionContext decisionContext) {
        SessionState state = session.state();
        theMailboxIsInOrder(state);
        theMailboxIsBounded(state, decisionContext.definitions());
        aClosedSessionHasNoTurns(state);
        stepsAndDepthAreBounded(state, decisionContext.definitions());
        theContextHasNoHoles(state);
        theContextBeginsWithATurn(state);
        whateverWaitsHasADueTime(state, input, decisionContext.now());
        MemoryInvariants.checkRest(state, decisionContext.now());
        aSecondDeliveryChangesNothing(state, input, decisionContext);
    }

    /** Checks a session after its last input. */
    void checkEnd() {
        SessionState state = session.state();
        assertNull(state.active(), "a turn never ended");
        assertEquals(List.of(), state.queue(), "turns wait for ever");
        assertNull(state.summary(), "a summary is awaited for ever");
        assertNull(state.seeding(), "a fork is awaited for ever");
        assertEquals(accepted.keySet(), ended, "every accepted turn ends");
        accepted.keySet()
                .forEach(turn -> assertTrue(
                        isEnd(turn, session.outcome(turn).orElseThrow()), "a turn's last outcome is its end"));
    }

    private boolean isEnd(UUID turn, Outcome outcome) {
        return outcome instanceof Outcome.Finished
                || outcome.equals(Outcome.erased(session.state().key(), turn));
    }

    /** Applying the events one by one results in the decided state. */
    private static void eventsMakeTheState(SessionState before, TurnDecision decisions) {
        SessionState state = before;
        for (TurnEvent event : decisions.events()) {
            state = TurnMachine.evolve(state, event);
        }
        assertEquals(decisions.state(), state, "events and state differ");
    }

    /** Published events are numbered without gaps. */
    private static void eventNumbersAreDense(SessionState before, List<TurnEvent> events) {
        long seq = before.lastSeq();
        for (TurnEvent event : events) {
            assertEquals(seq + 1, event.meta().seq(), () -> "number of " + event);
            seq += event.isPublished() ? 1 : 0;
        }
    }

    private static boolean isOthers(SessionState before, CommandMeta meta) {
        return meta.ownOnly()
                && before.session() != null
                && !Objects.equals(before.session().user(), meta.user());
    }

    private static void othersSessionsAreHidden(TurnCommand command, TurnDecision decisions) {
        assertEquals(List.of(), decisions.events(), "somebody else's command did something");
        var refused = new Outcome.Refused(
                decisions.state().key(), command.meta().commandId(), "unknown_session", "there is no such session");
        Integer partition = command.meta().outcomePartition();
        assertEquals(
                partition == null ? List.of() : List.of(new TurnEffect.SendOutcome(partition, refused)),
                decisions.effects());
    }

    private boolean isKnown(TurnCommand command) {
        return session.outcome(command.meta().commandId()).isPresent();
    }

    /** A duplicate command repeats the outcome and changes only who waits for it. */
    private void aDuplicateRepeatsItsOutcome(TurnCommand command, SessionState before, TurnDecision decisions) {
        assertTrue(decisions.events().stream().allMatch(WaiterAdded.class::isInstance), "a duplicate did something");
        assertEquals(before.lastSeq(), decisions.state().lastSeq(), "a duplicate made an event");
        Integer partition = command.meta().outcomePartition();
        if (isPassedOn(command, session.outcome(command.meta().commandId()).orElseThrow())) {
            assertTrue(decisions.effects().stream().allMatch(Invariants::isQuestion), "a duplicate had an effect");
            return;
        }
        var sent = sentOutcomes(decisions.effects()).toList();
        assertEquals(sent.size(), decisions.effects().size(), "a duplicate had an effect");
        if (partition != null) {
            var first = session.outcome(command.meta().commandId()).orElseThrow();
            assertEquals(
                    new TurnEffect.SendOutcome(partition, first), sent.getFirst(), "a duplicate had another outcome");
            decisions.events().forEach(event -> addWaiter(((WaiterAdded) event).waitingFor(), partition));
        }
    }

    private static boolean isQuestion(TurnEffect effect) {
        return effect instanceof TurnEffect.SendCommand send
                && send.command() instanceof TurnCommand.SeedContext seed
                && seed.piece() == TurnCommand.SeedContext.QUESTION;
    }

    /** The target session has the outcome of a fork. */
    private static boolean isPassedOn(TurnCommand command, Outcome outcome) {
        return command instanceof TurnCommand.ForkSession && outcome instanceof Outcome.Accepted;
    }

    /** A query is answered each time and changes nothing. */
    private static void aQuestionIsAnsweredAndChangesNothing(
            TurnCommand question, Outcome answer, TurnDecision decisions) {
        CommandMeta meta = question.meta();
        assertEquals(List.of(), decisions.events(), "a question did something");
        Integer partition = meta.outcomePartition();
        assertEquals(
                partition == null ? List.of() : List.of(new TurnEffect.SendOutcome(partition, answer)),
                decisions.effects());
    }

    private static List<CallerCall> callersCalls(SessionState state) {
        return calls(state).stream()
                .filter(call -> call.isCallers() && isOpen(call))
                .map(call -> new CallerCall(
                        state.running().turnId(),
                        call.callId(),
                        state.running().step(),
                        call.toolCallId(),
                        call.name(),
                        call.arguments(),
                        call.deadline()))
                .toList();
    }

    private static List<PendingApproval> approvals(SessionState state) {
        return calls(state).stream()
                .filter(call -> call.approval() != null)
                .map(call -> new PendingApproval(
                        state.running().turnId(),
                        call.approval().approvalId(),
                        state.running().step(),
                        call.toolCallId(),
                        call.name(),
                        "May I use " + call.name() + "?\n" + Names.visible(call.arguments()),
                        call.approval().expiresAt()))
                .toList();
    }

    /** Every command has one outcome, which is sent to its sender. */
    private void everyCommandHasOneOutcome(TurnCommand command, List<TurnEffect> effects) {
        UUID id = command.meta().commandId();
        assertTrue(decided.add(id), "a command was decided twice");
        var outcomes = effects.stream()
                .filter(effect -> effect instanceof TurnEffect.StoreOutcome r
                        && r.commandId().equals(id))
                .map(effect -> ((TurnEffect.StoreOutcome) effect).outcome())
                .filter(outcome -> !(outcome instanceof Outcome.Finished))
                .toList();
        assertEquals(1, outcomes.size(), () -> "outcomes of " + command);
        Integer partition = command.meta().outcomePartition();
        long sent = sentOutcomes(effects)
                .filter(effect -> effect.outcome().equals(outcomes.getFirst()))
                .count();
        boolean tellsNow = partition != null
                && !isPassedOn(command, outcomes.getFirst())
                && !isSentLater(command, outcomes.getFirst());
        assertEquals(tellsNow ? 1 : 0, sent, () -> "who gave it was told of " + command);
        if (partition != null
                && outcomes.getFirst() instanceof Outcome.Accepted acceptedTurn
                && command instanceof TurnCommand.SubmitTurn) {
            addWaiter(Objects.requireNonNull(acceptedTurn.turnId()), partition);
        }
    }

    /** The outcome of a revert is sent after the files are restored. */
    private static boolean isSentLater(TurnCommand command, Outcome outcome) {
        return command instanceof TurnCommand.ResetContext reset
                && Set.of(TurnCommand.Reset.REVERT, TurnCommand.Reset.UNREVERT).contains(reset.reset())
                && outcome instanceof Outcome.Accepted;
    }

    private void addWaiter(UUID turnId, int partition) {
        waiters.computeIfAbsent(turnId, _ -> new TreeSet<>()).add(partition);
    }

    private static boolean awaits(SessionState state, UUID callId) {
        ActiveTurn turn = state.active();
        var check = turn == null ? null : turn.guarded().check();
        if (check != null) { // the model's answer is checked while the turn waits
            boolean summary =
                    state.summary() != null && state.summary().callId().equals(callId);
            return summary || check.toolCall().callId().equals(callId);
        }
        var reminding = turn == null ? null : turn.recollection().asked();
        return (state.summary() != null && state.summary().callId().equals(callId))
                || (reminding != null && reminding.callId().equals(callId))
                || (state.reverting() != null && state.reverting().callId().equals(callId))
                || (turn != null
                        && turn.model() != null
                        && turn.model().callId().equals(callId))
                || (turn != null
                        && turn.calls().stream()
                                .anyMatch(call -> isOpen(call) && call.callId().equals(callId)));
    }

    private static boolean isOpen(ToolCall call) {
        return !call.status().isFinal();
    }

    /** A result that is not awaited, of an ended call or epoch, changes nothing. */
    private static void aLateResultChangesNothing(SessionState before, TurnDecision decisions) {
        assertEquals(List.of(), decisions.events(), "a late result did something");
        assertEquals(List.of(), decisions.effects(), "a late result had an effect");
        assertEquals(before, decisions.state());
    }

    /** A new session under the same key has the next epoch and a new id. */
    private void epochsOnlyGrow(TurnEvent event) {
        if (event instanceof SessionOpened) {
            assertEquals(epoch + 1, event.meta().epoch(), "the epoch of a new session");
            epoch = event.meta().epoch();
            turns = 0;
        }
        assertEquals(epoch, event.meta().epoch(), () -> "epoch of " + event);
        assertEquals(session.key().sessionId(epoch), event.meta().sessionId());
    }

    /** Turns are numbered 1, 2, 3 … in the order in which they were accepted. */
    private void turnNumbersAreDense(TurnEvent event) {
        if (event instanceof TurnAccepted turn) {
            assertEquals(++turns, turn.turnSeq(), "the turn's number");
        }
    }

    /** A turn starts once and ends once, and at most one turn is active. */
    private void aTurnStartsAndEndsOnce(TurnEvent event) {
        UUID turnId = event.meta().turnId();
        switch (event) {
            case TurnAccepted turn -> assertNull(accepted.put(id(turnId), turn), "a turn was accepted twice");
            case TurnStarted _ -> {
                assertTrue(accepted.containsKey(turnId) && !ended.contains(turnId), "what started was waiting");
                assertTrue(started.add(id(turnId)), "a turn started twice");
                assertEquals(
                        1,
                        started.stream().filter(turn -> !ended.contains(turn)).count(),
                        "turns run at once");
            }
            case TurnCompleted _, TurnFailed _, TurnCancelled _ -> {
                assertTrue(accepted.containsKey(turnId), "what ended was accepted");
                assertTrue(ended.add(id(turnId)), "a turn ended twice");
            }
            default -> {}
        }
    }

    private static UUID id(@Nullable UUID turnId) {
        return Objects.requireNonNull(turnId);
    }

    /** Each tool call has one result, and is not requested after it. */
    private void aToolCallHasOneResult(TurnEvent event) {
        if (event instanceof ToolRequested call) {
            ToolStatus status = toolCalls.put(call.callId(), ToolStatus.RUNNING);
            assertEquals(call.attempt() == 1 ? null : ToolStatus.RUNNING, status, "a call went back");
        } else if (event instanceof ToolCalled call) {
            assertTrue(call.status().isFinal(), "a result is final");
            assertEquals(ToolStatus.RUNNING, toolCalls.put(call.callId(), call.status()), "a call has one result");
        } else if (event instanceof ModelRequested || event instanceof TurnCompleted || event instanceof TurnFailed) {
            assertFalse(toolCalls.containsValue(ToolStatus.RUNNING), "a call has no result");
        }
    }

    /** A summary replaces complete turns. */
    private static void aSummaryCutsBetweenTurns(SessionState before, TurnEvent event) {
        if (event instanceof Summarised summary) {
            assertTrue(
                    before.context().turns().stream().anyMatch(turn -> turn.entry() == summary.cut()),
                    "a summary cuts a turn in two");
            assertTrue(summary.cut() > before.context().from(), "a summary goes back");
        }
    }

    /** The pieces of a fork are applied in order and without gaps. */
    private static void aForkArrivesInOrder(SessionState before, TurnEvent event) {
        if (event instanceof ContextSeeded seeded && seeded.piece() > 0) {
            var seeding = Objects.requireNonNull(before.seeding());
            assertEquals(seeding.forkId(), seeded.forkId(), "pieces of two forks");
            assertEquals(seeding.next(), seeded.piece(), "a piece of the fork is left out");
        }
    }

    /** A new session or context contains nothing of the previous one under the same key. */
    private static void aNewSessionStartsFromNothing(List<TurnEvent> events, TurnEvent event, SessionState after) {
        boolean isNew = event instanceof SessionOpened;
        boolean isCleared = event instanceof ContextReset reset && reset.reset() == TurnCommand.Reset.CLEAR;
        if (isNew || isCleared) {
            var seeding = after.seeding();
            assertTrue(seeding == null || seeding.next() == 1, "an old fork goes on");
            var summary = after.summary();
            assertTrue(summary == null || summary.cut() > after.context().from(), "an old summary is awaited");
            List<Todo> imported = events.stream()
                    .filter(TurnEvent.TodosChanged.class::isInstance)
                    .map(changed -> ((TurnEvent.TodosChanged) changed).todos())
                    .reduce(List.of(), (_, last) -> last);
            assertEquals(imported, after.todos(), "old todos are left");
        }
    }

    /** Each instance that waits for a turn receives its end once. */
    private void waitersAreNotifiedOnce(TurnDecision decisions) {
        for (TurnEvent event : decisions.events()) {
            if (event instanceof TurnCompleted || event instanceof TurnFailed || event instanceof TurnCancelled) {
                UUID turnId = id(event.meta().turnId());
                var partitions = finished(decisions.effects(), turnId);
                assertEquals(partitions.size(), Set.copyOf(partitions).size(), "somebody was told twice");
                assertEquals(waiters.getOrDefault(turnId, Set.of()), Set.copyOf(partitions), "who was told of the end");
            }
        }
        long storedEnds = decisions.effects().stream()
                .filter(effect ->
                        effect instanceof TurnEffect.StoreOutcome r && r.outcome() instanceof Outcome.Finished)
                .count();
        assertEquals(decisions.events().stream().filter(Invariants::isEnd).count(), storedEnds, "remembered ends");
    }

    private static boolean isEnd(TurnEvent event) {
        return event instanceof TurnCompleted || event instanceof TurnFailed || event instanceof TurnCancelled;
    }

    private static List<Integer> finished(List<TurnEffect> effects, UUID turnId) {
        return sentOutcomes(effects)
                .filter(effect -> effect.outcome() instanceof Outcome.Finished end
                        && end.turnId().equals(turnId))
                .map(TurnEffect.SendOutcome::partition)
                .toList();
    }

    private static Stream<TurnEffect.SendOutcome> sentOutcomes(List<TurnEffect> effects) {
        return effects.stream()
                .filter(TurnEffect.SendOutcome.class::isInstance)
                .map(TurnEffect.SendOutcome.class::cast);
    }

    /** A delegating call has one answer, when its turn ends or is refused. */
    private void aParentIsAnsweredOnce(TurnInput input, TurnDecision decisions, boolean repeated) {
        var expected = new ArrayList<UUID>();
        decisions.events().stream().filter(Invariants::isEnd).forEach(event -> {
            Parent parent = accepted.get(id(event.meta().turnId())).parent();
            if (parent != null) {
                expected.add(parent.callId());
            }
        });
        if (!repeated && input instanceof TurnCommand.SubmitTurn submit && submit.parent() != null) {
            boolean alreadyAccepted = accepted.containsKey(submit.meta().commandId());
            Stream.of(submit.parent().callId()).filter(_ -> !alreadyAccepted).forEach(expected::add);
        }
        var answers = decisions.effects().stream()
                .filter(TurnEffect.SendResult.class::isInstance)
                .map(effect -> ((TurnEffect.SendResult) effect).result().callId())
                .toList();
        assertEquals(expected, answers, "answers to parents");
        answers.forEach(call -> assertTrue(answeredParents.add(call), "a parent was answered twice"));
    }

    private boolean isPosted(UUID turn) {
        return accepted.containsKey(turn) && accepted.get(turn).posted();
    }

    /** A turn has one final reply or one terminal error, and no reply is sent twice. */
    private void aTurnIsRepliedToOnce(List<TurnEffect> effects) {
        for (TurnEffect effect : effects) {
            if (effect instanceof TurnEffect.DeliverReply deliver) {
                Reply reply = deliver.reply();
                assertTrue(replies.add(reply.replyId()), "a reply was made twice");
                if (reply.kind() != Reply.Kind.MESSAGE) {
                    assertTrue(
                            ended.contains(reply.turnId()) || isPosted(reply.turnId()),
                            "the last reply comes with the end, that of a posted message before it");
                    assertTrue(replies.add(reply.turnId()), "a turn has two last replies");
                }
            }
        }
    }

    /** The last model call of a turn has no tools, and its answer ends the turn. */
    private static void aModelWithoutToolsEndsTheTurn(SessionState before, TurnInput input, TurnDecision decisions) {
        ActiveTurn turn = before.active();
        boolean last = turn != null
                && turn.model() != null
                && turn.guarded().check() == null
                && !turn.model().toolsAllowed()
                && input instanceof CallResult.ModelAnswered answer
                && answer.callId().equals(turn.model().callId());
        boolean looks = decisions.events().stream().anyMatch(GuardrailAsked.class::isInstance);
        assertTrue(
                !last || looks || decisions.events().stream().anyMatch(Invariants::isEnd), "the turn goes on and on");
    }

    /** Turns of a mode are in order of arrival; interrupting turns precede all others. */
    private static void theMailboxIsInOrder(SessionState state) {
        for (MailboxMode mode : MailboxMode.values()) {
            var numbers = state.queue().stream()
                    .filter(turn -> turn.mode() == mode)
                    .map(QueuedTurn::seq)
                    .toList();
            assertEquals(numbers.stream().sorted().toList(), numbers, () -> "order of " + mode);
        }
        var others = state.queue().stream()
                .dropWhile(turn -> turn.mode() == MailboxMode.INTERRUPT)
                .filter(turn -> turn.mode() != MailboxMode.INTERRUPT)
                .toList();
        long interrupts = (long) state.queue().size() - others.size();
        assertEquals(others, state.queue().stream().skip(interrupts).toList(), "an interrupt waits behind others");
        var numbers = others.stream().map(QueuedTurn::seq).toList();
        assertEquals(numbers.stream().sorted().toList(), numbers, "order of those that wait");
    }

    /** Many messages do not grow the header without limit. */
    private void theMailboxIsBounded(SessionState state, Definitions definitions) {
        int limit = definitions.agents().stream()
                .mapToInt(agent -> agent.limits().maxQueued())
                .max()
                .orElseThrow();
        wasHandedOff |= state.handoff() != null;
        int waiting = wasHandedOff ? Math.max(limit, Handoffs.MAX_WAITING) : limit;
        assertTrue(state.queue().size() <= waiting, "too many turns wait");
        ActiveTurn turn = state.active();
        assertTrue(turn == null || turn.steered().size() <= limit, "too many messages join");
        int largest = 3; // the last message joins with all its blocks
        state.queue()
                .forEach(queued -> assertTrue(queued.content().size() < limit + largest + 1, "too much is collected"));
    }

    /** An archived or deleted session has no turns. */
    private static void aClosedSessionHasNoTurns(SessionState state) {
        if (state.session() == null || state.session().status() != SessionStatus.ACTIVE) {
            assertNull(state.active());
            assertEquals(List.of(), state.queue());
        }
    }

    /** Steps, delegation depth and concurrent calls are bounded. */
    private static void stepsAndDepthAreBounded(SessionState state, Definitions definitions) {
        ActiveTurn turn = state.active();
        if (turn == null) {
            return;
        }
        int limit = definitions.agents().stream()
                .mapToInt(agent -> agent.limits().maxSteps())
                .max()
                .orElseThrow();
        assertTrue(turn.step() < limit, "too many steps");
        Parent parent = turn.turn().parent();
        assertTrue(parent == null || parent.agents().size() <= TurnMachine.MAX_DEPTH, "too deep");
        assertTrue(turn.model() == null || turn.calls().isEmpty(), "a model is asked while its tools run");
    }

    /** Every entry of the context is stored or reserved for a running call, and no other entry is stored. */
    private void theContextHasNoHoles(SessionState state) {
        var context = state.context();
        Set<Long> reserved = calls(state).stream()
                .filter(Invariants::isOpen)
                .map(ToolCall::entry)
                .collect(Collectors.toSet());
        for (long index = context.from(); index < context.end(); index++) {
            boolean stored = session.entries().containsKey(index);
            assertTrue(stored != reserved.contains(index), "entry " + index + (stored ? " is open" : " is not there"));
        }
        if (!session.entries().isEmpty()) {
            assertTrue(session.entries().firstKey() >= context.first(), "an entry was not forgotten");
            assertTrue(session.entries().lastKey() < context.end(), "an entry lies beyond the context");
        }
    }

    private static Collection<ToolCall> calls(SessionState state) {
        return state.active() == null ? List.of() : state.active().calls();
    }

    /** The context of a model begins at the start of a turn. */
    private void theContextBeginsWithATurn(SessionState state) {
        var context = state.context();
        if (context.from() < context.next()) {
            assertEquals(context.from(), context.turns().getFirst().entry(), "the context begins in a turn");
            var first = session.entries().get(context.from());
            if (accepted.containsKey(first.turnId())) { // else it is copied, and may have been posted there
                assertEquals(
                        isPosted(first.turnId()) ? Role.ASSISTANT : Role.USER,
                        first.message().role());
            }
        }
        var starts = context.turns().stream().map(TurnStart::entry).toList();
        assertEquals(starts.stream().sorted().distinct().toList(), starts, "turns begin one after the other");
        assertTrue(context.tokens() >= 0 && context.base() <= context.bytes(), "the context weighs less than nothing");
    }

    /** In a prompt, the calls of an answer are followed by one result each, in the same order. */
    void checkPrompt(TurnEffect.RequestModel request, List<Message> prompt) {
        var open = new ArrayList<String>();
        for (Message message : prompt) {
            assertFalse(message.blocks().isEmpty(), "a model is shown an empty message");
            if (message.role() == Role.TOOL) {
                var result = (Block.ToolResult) message.blocks().getFirst();
                assertFalse(open.isEmpty(), "a result without a call");
                assertEquals(open.removeFirst(), result.toolCallId(), "results in call order");
            } else {
                assertEquals(List.of(), open, "a call without a result");
                Message.toolCalls(message.blocks()).forEach(call -> open.add(call.id()));
                assertEquals(open.stream().distinct().toList(), open, "calls with the same id");
            }
        }
        assertEquals(List.of(), open, "a call without a result at the end");
        boolean reply = request.purpose() == ModelRequest.Purpose.REPLY;
        assertTrue(!reply || prompt.getLast().role() != Role.ASSISTANT, "a model is asked to answer itself");
    }

    /** Everything that waits has a due time, which is in the future after a tick, so timers never spin. */
    private static void whateverWaitsHasADueTime(SessionState state, TurnInput input, Instant now) {
        var due = TurnMachine.nextDue(state);
        boolean waits = state.active() != null
                || !state.queue().isEmpty()
                || state.handoff() != null
                || state.summary() != null
                || state.reverting() != null
                || state.seeding() != null
                || !state.reminders().isEmpty();
        assertEquals(waits, due.isPresent(), () -> "due time of " + state);
        if (input instanceof TurnInput.Tick && due.isPresent()) {
            assertTrue(due.get().isAfter(now), "a tick did not do what was due");
        }
    }

    /** A second delivery of an input, including a tick, changes nothing. */
    private void aSecondDeliveryChangesNothing(SessionState state, TurnInput input, DecisionContext decisionContext) {
        TurnDecision repeated = TurnMachine.decide(state, input, decisionContext);
        assertEquals(state, repeated.state(), () -> "a second delivery of " + input);
        assertEquals(state.lastSeq(), repeated.state().lastSeq());
        assertTrue(
                repeated.effects().stream()
                        .allMatch(effect -> effect instanceof TurnEffect.SendOutcome || isQuestion(effect)),
                "a second delivery had effects");
    }
}
