package dev.parley.domain.memory;

import dev.parley.domain.bank.BankRef;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.BankState.Waiting;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A decision about a bank in progress. Each emitted event is applied to the state immediately. */
final class MemoryDraft {
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

    BankState state() {
        return state;
    }

    BankView view() {
        return view;
    }

    BankMemory memory() {
        return view.memory();
    }

    Instant now() {
        return view.now();
    }

    List<MemoryEvent> events() {
        return events;
    }

    MemoryDecisions done() {
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
    void emit(MemoryEvent happened) {
        state = BankMachine.evolve(state, happened);
        events.add(happened);
    }

    /** The agent whose model is used: the requester's, else the bank's own; null for rules. */
    @Nullable
    Agent reader(@Nullable Agent whose) {
        BankProfile profile = state.profile();
        return whose != null || profile == null ? whose : profile.reader().orElse(null);
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
    Optional<Waiting> waits(long number) {
        return effects.stream()
                .filter(effect -> effect instanceof MemoryEffect.Wait wait && wait.number() == number)
                .map(effect -> ((MemoryEffect.Wait) effect).waiting())
                .findFirst();
    }

    /** Whether the quota allows another unit. */
    boolean hasRoom() {
        long more = events.stream()
                .filter(event -> event instanceof UnitLearned learned
                        && !memory().knows(learned.unit().id()))
                .map(event -> ((UnitLearned) event).unit().id())
                .distinct()
                .count();
        return memory().known() + more < state.budget().allowance().units();
    }

    /** Changes state that no event records: queued chunks and extractions. */
    void change(UnaryOperator<BankState> to) {
        state = to.apply(state);
    }

    void effect(MemoryEffect effect) {
        effects.add(effect);
    }

    /** Sets the command's outcome, stored for duplicates. */
    void answer(Outcome outcome) {
        if (command != null) {
            effects.add(new MemoryEffect.Remember(command.commandId(), outcome));
            tell(outcome);
        }
    }

    /** Sends the outcome to the waiting instance. */
    void tell(Outcome outcome) {
        if (command != null && command.outcomePartition() != null) {
            effects.add(new MemoryEffect.Tell(command.outcomePartition(), outcome));
        }
    }

    void refuse(String code, String message) {
        if (command != null) {
            answer(new Outcome.Refused(state.key(), command.commandId(), code, message));
        }
    }

    /** Completes a command without further result. */
    void done(UUID commandId) {
        answer(new Outcome.Accepted(
                state.key(), commandId, state.open().id(), null, null, Outcome.Disposition.DONE, 0));
    }
}
