package dev.parley.domain.memory.machine;

import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryEvent;
import java.util.List;

/**
 * The result of a decision about a bank.
 *
 * @param state the state after all events
 * @param events in order
 * @param effects side effects to execute, in order
 */
public record MemoryDecisions(BankState state, List<MemoryEvent> events, List<MemoryEffect> effects) {
    public MemoryDecisions {
        events = List.copyOf(events);
        effects = List.copyOf(effects);
    }
}
