package dev.parley.domain.memory.machine;

import dev.parley.domain.bank.BankRef;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.BankProfile;
import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.BankState.Waiting;
import dev.parley.domain.memory.BankView;
import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryMeta;
import dev.parley.domain.memory.index.BankMemory;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A decision about a bank in progress. Each emitted event is applied to the state immediately. */
public final class MemoryDraft {
    private final BankView view;
    private final @Nullable CommandMeta command;
    private final List<MemoryEvent> events = new ArrayList<>();
    private final List<MemoryEffect> effects = new ArrayList<>();
    private BankState state;

    MemoryDraft(BankState state, BankView view, @Nullable CommandMeta command) {
        this.state = state;
        this.view = view;
        this.command = command;
    }

    public BankState state() {
        return state;
    }

    BankView view() {
        return view;
    }

    BankMemory memory() {
        return view.memory();
    }

    public Instant now() {
        return view.now();
    }

    List<MemoryEvent> events() {
        return events;
    }

    /** The units learned by this decision so far. */
    Stream<UnitLearned> learnedUnits() {
        return events.stream().filter(UnitLearned.class::isInstance).map(UnitLearned.class::cast);
    }

    MemoryDecisions decisions() {
        return new MemoryDecisions(state, events, effects);
    }

    /** Emits the next event. */
    void emit(Function<MemoryMeta, MemoryEvent> event) {
        emit(state.open(), event);
    }

    /** Emits the next event of this bank, possibly its first. */
    void emit(BankRef bank, Function<MemoryMeta, MemoryEvent> event) {
        var meta = new MemoryMeta(
                bank,
                state.lastSeq() + 1,
                now(),
                command == null ? null : command.commandId(),
                command == null ? null : command.user());
        emit(event.apply(meta));
    }

    /** Emits this event, which has the next number. */
    void emit(MemoryEvent event) {
        state = BankMachine.evolve(state, event);
        events.add(event);
    }

    /** The agent whose model is used: the requester's, else the bank's own; null for rules. */
    @Nullable
    Agent readerOr(@Nullable Agent requested) {
        BankProfile profile = state.profile();
        return requested != null || profile == null
                ? requested
                : profile.reader().orElse(null);
    }

    /** The agent whose model the bank uses; null for rules. */
    @Nullable
    Agent reader() {
        return readerOr(null);
    }

    /** A document accepted by this decision. */
    Optional<Document> document(UUID id) {
        return events.stream()
                .filter(DocumentRetained.class::isInstance)
                .map(event -> ((DocumentRetained) event).document())
                .filter(document -> document.id().equals(id))
                .findFirst();
    }

    /** A chunk queued by this decision. */
    Optional<Waiting> findQueued(long number) {
        return effects.stream()
                .filter(effect -> effect instanceof MemoryEffect.Enqueue queued && queued.number() == number)
                .map(effect -> ((MemoryEffect.Enqueue) effect).waiting())
                .findFirst();
    }

    /** Whether the quota allows another unit. */
    boolean hasRoom() {
        long added = learnedUnits()
                .map(event -> event.unit().id())
                .filter(id -> !memory().hasUnit(id))
                .distinct()
                .count();
        return memory().unitCount() + added < state.budget().allowance().units();
    }

    /** Changes state that no event records, such as queued chunks and pending calls. */
    void change(UnaryOperator<BankState> to) {
        state = to.apply(state);
    }

    void effect(MemoryEffect effect) {
        effects.add(effect);
    }

    /** Ends the command with this outcome, which is stored for duplicates. */
    void conclude(Outcome outcome) {
        if (command != null) {
            effects.add(new MemoryEffect.StoreOutcome(command.commandId(), outcome));
            sendOutcome(outcome);
        }
    }

    /** Sends the command's outcome to the waiting instance, if there is one. */
    void sendOutcome(Outcome outcome) {
        if (command != null) {
            sendOutcome(command.outcomePartition(), outcome);
        }
    }

    /** Sends an outcome to the instance that waits on this partition; does nothing for null. */
    void sendOutcome(@Nullable Integer partition, Outcome outcome) {
        if (partition != null) {
            effects.add(new MemoryEffect.SendOutcome(partition, outcome));
        }
    }

    /** Ends the command with a rejection. */
    void refuse(String code, String message) {
        if (command != null) {
            conclude(new Outcome.Refused(state.key(), command.commandId(), code, message));
        }
    }

    /** Ends the command without further result. */
    void accept(UUID commandId) {
        conclude(new Outcome.Accepted(
                state.key(), commandId, state.open().id(), null, null, Outcome.Disposition.DONE, 0));
    }
}
