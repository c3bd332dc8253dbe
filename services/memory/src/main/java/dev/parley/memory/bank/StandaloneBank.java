package dev.parley.memory.bank;

import dev.parley.domain.access.TimeZones;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.BankState.Waiting;
import dev.parley.domain.memory.BankView;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryInput;
import dev.parley.domain.memory.index.BankMemory;
import dev.parley.domain.memory.machine.BankMachine;
import dev.parley.domain.memory.machine.MemoryDecisions;
import dev.parley.memory.bank.PartitionBanks.OpenBank;
import dev.parley.memory.search.Index;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A bank without topology, store and workers, for measurements: the same state machine and index as in {@link
 * MemoryProcessor}, without persistence. Not thread-safe.
 */
public final class StandaloneBank {
    private final Map<Long, MemoryEvent> events = new HashMap<>();
    private final Map<Long, Waiting> waiting = new HashMap<>();
    private final OpenBank bank;
    private BankState state;

    /** @param index an empty one, which is filled */
    public StandaloneBank(BankRef bank, Index index) {
        this.state = BankState.initial(bank.key());
        this.bank = new OpenBank(new BankMemory(number -> Objects.requireNonNull(events.get(number))), index, 0);
    }

    /**
     * Decides on an input and applies the resulting events.
     *
     * @return the effects
     */
    public List<MemoryEffect> handle(MemoryInput input, Instant now) {
        var view = new BankView(
                now,
                bank.memory(),
                bank.indexing()::nearest,
                _ -> Optional.empty(),
                number -> Optional.ofNullable(waiting.get(number)),
                (_, _) -> List.of(),
                Set.of(),
                TimeZones.UNKNOWN);
        MemoryDecisions decisions = BankMachine.decide(state, input, view);
        decisions.events().forEach(event -> events.put(event.meta().seq(), event));
        bank.apply(decisions.events());
        state = decisions.state();
        decisions.effects().forEach(this::perform);
        return decisions.effects();
    }

    private void perform(MemoryEffect effect) {
        switch (effect) {
            case MemoryEffect.Enqueue chunk -> waiting.put(chunk.number(), chunk.waiting());
            case MemoryEffect.Dequeue chunk -> waiting.remove(chunk.number());
            case MemoryEffect.Erase erase -> erase.events().forEach(events::remove);
            case MemoryEffect.CallModel _,
                    MemoryEffect.SendCommand _,
                    MemoryEffect.Embed _,
                    MemoryEffect.RunSearch _,
                    MemoryEffect.SendOutcome _,
                    MemoryEffect.StoreOutcome _ -> {} // left to the caller
        }
    }

    /** Its events in order, without erased ones. */
    public List<MemoryEvent> events() {
        return events.values().stream()
                .sorted(Comparator.comparingLong(event -> event.meta().seq()))
                .toList();
    }

    /** The memory of the bank. */
    public BankMemory memory() {
        return bank.memory();
    }
}
