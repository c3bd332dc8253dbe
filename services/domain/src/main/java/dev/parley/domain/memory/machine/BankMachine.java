package dev.parley.domain.memory.machine;

import dev.parley.domain.memory.BankProfile;
import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.BankState.Work;
import dev.parley.domain.memory.BankView;
import dev.parley.domain.memory.Branches.Copying;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.MemoryCommand.Adopt;
import dev.parley.domain.memory.MemoryCommand.Branch;
import dev.parley.domain.memory.MemoryCommand.ChangeBank;
import dev.parley.domain.memory.MemoryCommand.DropGeneration;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.domain.memory.MemoryCommand.LimitBank;
import dev.parley.domain.memory.MemoryCommand.Reembed;
import dev.parley.domain.memory.MemoryCommand.Reflect;
import dev.parley.domain.memory.MemoryCommand.RemoveDirective;
import dev.parley.domain.memory.MemoryCommand.RemoveMentalModel;
import dev.parley.domain.memory.MemoryCommand.Retain;
import dev.parley.domain.memory.MemoryCommand.RetireUnit;
import dev.parley.domain.memory.MemoryCommand.SetDirective;
import dev.parley.domain.memory.MemoryCommand.SetMentalModel;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.BankChanged;
import dev.parley.domain.memory.MemoryEvent.BankLimited;
import dev.parley.domain.memory.MemoryEvent.BranchBegun;
import dev.parley.domain.memory.MemoryEvent.Branched;
import dev.parley.domain.memory.MemoryEvent.Consolidated;
import dev.parley.domain.memory.MemoryEvent.DirectiveRemoved;
import dev.parley.domain.memory.MemoryEvent.DirectiveSet;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.domain.memory.MemoryEvent.FactsExtracted;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.memory.MemoryEvent.GenerationChanged;
import dev.parley.domain.memory.MemoryEvent.MentalModelRemoved;
import dev.parley.domain.memory.MemoryEvent.MentalModelSet;
import dev.parley.domain.memory.MemoryEvent.PassagesEmbedded;
import dev.parley.domain.memory.MemoryEvent.Reflected;
import dev.parley.domain.memory.MemoryEvent.UnitEmbedded;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryEvent.UnitRetired;
import dev.parley.domain.memory.MemoryInput;
import dev.parley.domain.memory.MemoryMeta;
import dev.parley.domain.memory.PendingInference;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of a memory bank: decides events and effects from commands, results and timer ticks.
 *
 * <pre>
 *   Retain ──► document stored, found by keywords
 *     └─ each new chunk queued ──► extracted by a model or rules ──► embedded ──► units, entities, links
 *
 *        └─ 30 s later ──► consolidated by a model into observations
 *
 *   Reflect ──► search ──► a model answers or searches again, or rules answer ──► embedded ──► stored and returned
 * </pre>
 *
 * A limited number of chunks is extracted concurrently; the others are queued in order. After three failures of the model,
 * rules extract the chunk. Embedding is retried until it succeeds; {@link Reembedding} switches to another embedding model.
 */
public final class BankMachine {
    /** Maximum directives of a bank. */
    static final int MAX_DIRECTIVES = 100;

    private BankMachine() {}

    /** Decides the events and effects of an input. Pure: state and input are not modified. */
    public static MemoryDecisions decide(BankState state, MemoryInput input, BankView view) {
        if (input instanceof MemoryCommand command) {
            return decide(state, command, view);
        }
        var draft = new MemoryDraft(state, view, null);
        switch (input) {
            case MemoryCommand _ -> {} // decided above
            case MemoryInput.Answered answered -> onCallResult(draft, answered.result());
            case MemoryInput.Unusable unusable -> onUnusableResult(draft, unusable.callId());
            case MemoryInput.Tick _
            when hasExpired(draft) -> Erasure.tick(draft); // before anything uses expired content
            case MemoryInput.Tick _ -> tick(draft);
        }
        MentalModelRefresh.mark(draft);
        return draft.decisions();
    }

    /**
     * Ends the jobs that wait for an input on which the machine failed.
     *
     * @param callId the call whose result cannot be decided; null for a timer, which ends all jobs that are due
     */
    public static MemoryDecisions fault(BankState state, @Nullable UUID callId, BankView view) {
        var draft = new MemoryDraft(state, view, null);
        BankFaults.end(draft, callId);
        return draft.decisions();
    }

    private static void onCallResult(MemoryDraft draft, CallResult result) {
        if (!Reembedding.onCallResult(draft, result)) {
            FactExtraction.onCallResult(draft, result);
            Reflection.onCallResult(draft, result);
            ConsolidationCalls.onCallResult(draft, result);
        }
    }

    private static void onUnusableResult(MemoryDraft draft, UUID callId) {
        Reembedding.onUnusableResult(draft, callId);
        FactExtraction.onUnusableResult(draft, callId);
        Reflection.onUnusableResult(draft, callId);
        ConsolidationCalls.onUnusableResult(draft, callId);
    }

    private static void tick(MemoryDraft draft) {
        Branching.tick(draft);
        Reembedding.tick(draft);
        FactExtraction.tick(draft);
        Reflection.tick(draft);
        ConsolidationCalls.tick(draft);
        MentalModelRefresh.tick(draft);
    }

    /** Whether documents have reached their expiry. */
    private static boolean hasExpired(MemoryDraft draft) {
        Instant due = Erasure.due(draft.state());
        return due != null && !due.isAfter(draft.now());
    }

    private static MemoryDecisions decide(BankState state, MemoryCommand command, BankView view) {
        var draft = new MemoryDraft(state, view, command.meta());
        Optional<Outcome> before = view.seen().apply(command.meta().commandId());
        if (before.isPresent()) {
            draft.sendOutcome(duplicate(draft, command, before.get()));
            return draft.decisions();
        }
        if (!command.bank().key().equals(state.key())) {
            throw new IllegalArgumentException(
                    "a command for the bank " + command.bank().key() + " under the key " + state.key());
        }
        if (!isRefused(draft, command)) {
            if (state.bank() == null && createsBank(command)) {
                draft.emit(command.bank(), meta -> new BankChanged(meta, BankProfile.of(command.bank())));
            }
            execute(draft, command);
            MentalModelRefresh.mark(draft);
        }
        return draft.decisions();
    }

    private static boolean isRefused(MemoryDraft draft, MemoryCommand command) {
        BankState state = draft.state();
        if (state.isForgotten(contentTime(command)) && !checksErasureItself(command)) {
            draft.refuse("erased", "the bank was told to forget everything after this was given, or said");
        } else if (state.bank() == null && command.bank().branch() != null && createsBank(command)) {
            draft.refuse("unknown_bank", "the branch does not exist: create it by branching the bank");
        } else if (state.branches().arriving() && !isAcceptedWhileArriving(command)) {
            draft.refuse("branch_arriving", "the bank does not have all that it gets yet: try again in a moment");
        } else {
            return false;
        }
        return true;
    }

    private static void execute(MemoryDraft draft, MemoryCommand command) {
        switch (command) {
            case Retain retain -> DocumentIntake.retain(draft, retain);
            case ChangeBank change -> change(draft, change);
            case SetDirective set -> set(draft, set);
            case RemoveDirective remove -> remove(draft, remove);
            case RetireUnit retire -> Erasure.retire(draft, retire);
            case Reembed reembed -> Reembedding.reembed(draft, reembed);
            case DropGeneration drop -> Reembedding.drop(draft, drop);
            case LimitBank limit -> limit(draft, limit);
            case Branch branch -> Branching.branch(draft, branch);
            case Adopt adopt -> Branching.adopt(draft, adopt);
            case Forget forget -> Erasure.forget(draft, forget);
            case Reflect reflect -> Reflection.reflect(draft, reflect);
            case SetMentalModel set -> MentalModelRefresh.set(draft, set);
            case RemoveMentalModel remove -> MentalModelRefresh.remove(draft, remove);
        }
    }

    private static void change(MemoryDraft draft, ChangeBank change) {
        BankProfile profile = change.profile();
        if (profile != null) {
            draft.emit(meta -> new BankChanged(meta, profile));
        }
        draft.accept(change.meta().commandId());
    }

    /** The outcome for a duplicate of a command. */
    private static Outcome duplicate(MemoryDraft draft, MemoryCommand command, Outcome before) {
        if (before instanceof Outcome.Concluded concluded) {
            return ReflectionCompletion.duplicate(draft, concluded);
        }
        return before instanceof Outcome.Retained retained && command instanceof Retain retain
                ? DocumentIntake.duplicate(retain, retained)
                : before;
    }

    /**
     * A branch that is not complete yet accepts single erasures only from its bank: arriving events could restore what
     * was erased.
     */
    private static boolean isAcceptedWhileArriving(MemoryCommand command) {
        return command instanceof Adopt
                || command instanceof Forget forget
                        && (forget.what() == Forget.What.BANK || forget.meta().outcomePartition() == null);
    }

    /**
     * Time of the content: for a turn's text that of the message, as the command follows the turn's end.
     */
    private static Instant contentTime(MemoryCommand command) {
        Instant time = command.meta().at();
        return command instanceof Retain retain
                        && retain.turnId() != null
                        && retain.mentionedAt().isBefore(time)
                ? retain.mentionedAt()
                : time;
    }

    /**
     * Commands given before the bank was forgotten do not create it again. Forget commands are always accepted, and
     * branches compare the times of their events themselves.
     */
    private static boolean checksErasureItself(MemoryCommand command) {
        return command instanceof Forget || command instanceof Adopt;
    }

    /** Whether a command creates the bank if there is none. */
    private static boolean createsBank(MemoryCommand command) {
        return switch (command) {
            case Retain _, ChangeBank _, SetDirective _, SetMentalModel _, LimitBank _ -> true;
            case RemoveDirective _, RetireUnit _, Forget _, Reflect _, RemoveMentalModel _ -> false;
            case Reembed _, DropGeneration _, Branch _, Adopt _ -> false;
        };
    }

    private static void limit(MemoryDraft draft, LimitBank limit) {
        if (limit.allowance().isNegative()) {
            draft.refuse("invalid_allowance", "the limits of a bank must not be negative");
            return;
        }
        draft.emit(meta -> new BankLimited(meta, limit.allowance()));
        draft.accept(limit.meta().commandId());
    }

    private static void set(MemoryDraft draft, SetDirective set) {
        var otherDirectives = draft.state().directivesBut(set.directive().id());
        if (otherDirectives.size() >= MAX_DIRECTIVES) {
            draft.refuse("too_many", "a bank has at most " + MAX_DIRECTIVES + " directives: remove one first");
            return;
        }
        draft.emit(meta -> new DirectiveSet(meta, set.directive()));
        draft.accept(set.meta().commandId());
    }

    private static void remove(MemoryDraft draft, RemoveDirective remove) {
        BankState state = draft.state();
        if (state.bank() == null
                || state.directivesBut(remove.directiveId()).size()
                        == state.directives().size()) {
            draft.refuse("unknown_directive", "the bank has no such directive");
            return;
        }
        draft.emit(meta -> new DirectiveRemoved(meta, remove.directiveId()));
        draft.accept(remove.meta().commandId());
    }

    /** The state after an event. */
    static BankState evolve(BankState state, MemoryEvent event) {
        BankState next = state.withLastSeq(event.meta().seq());
        return switch (event) {
            case BankChanged e -> next.withBank(e.meta().bank(), e.meta().seq(), e.profile());
            case DirectiveSet e -> next.withDirective(e.directive());
            case DirectiveRemoved e -> next.withDirectives(next.directivesBut(e.directiveId()));
            case MentalModelSet e -> MentalModelRefresh.evolve(next, e.model());
            case MentalModelRemoved e -> next.withoutModel(e.modelId());
            case Forgotten e when e.whole() -> applyForgotten(next, e.meta());
            case BankLimited e -> next.withBudget(next.budget().with(e.allowance()));
            case BranchBegun e -> next.withBranches(next.branches().begin(new Copying(e.name(), 1, e.upTo(), e.at())));
            case Branched _ -> next.withBranches(next.branches().arriving(false));
            case GenerationChanged e ->
                next.withGenerations(next.generations()
                        .change(e.current(), e.other(), e.wanted(), e.meta().seq()));
            case DocumentRetained e -> next.expiring(e.document().forgetAt());
            case FactsExtracted _,
                    PassagesEmbedded _,
                    UnitLearned _,
                    UnitEmbedded _,
                    UnitRetired _,
                    Consolidated _,
                    Reflected _,
                    Forgotten _ -> next;
        };
    }

    private static BankState applyForgotten(BankState state, MemoryMeta meta) {
        return state.withBank(meta.bank(), meta.seq(), BankProfile.of(meta.bank()))
                .withDirectives(List.of())
                .withModels(List.of())
                .withBranches(state.branches().forget());
    }

    /** Latest time of the next {@link MemoryInput.Tick}; empty if nothing is pending. */
    public static Optional<Instant> nextDue(BankState state) {
        boolean canExtract = state.works().size() < FactExtraction.AT_ONCE && state.waitingFrom() < state.waitingNext();
        return canExtract || !state.branches().copying().isEmpty()
                ? Optional.of(Instant.EPOCH) // one decision does only a part of it
                : Stream.of(
                                state.works().stream().map(Work::due),
                                state.thoughts().stream().map(PendingInference::due),
                                MentalModelRefresh.due(state).stream(),
                                Stream.ofNullable(Reembedding.due(state)),
                                Stream.ofNullable(ConsolidationCalls.due(state)),
                                Stream.ofNullable(Erasure.due(state)))
                        .flatMap(dues -> dues)
                        .min(Instant::compareTo);
    }
}
