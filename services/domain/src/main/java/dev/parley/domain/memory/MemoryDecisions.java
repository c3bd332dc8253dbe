package dev.parley.domain.memory;

import java.util.List;

/**
 * What the machine of a bank decided.
 *
 * @param state after all events
 * @param events what happened, in order
 * @param effects what is to be done, in order
 */
public record MemoryDecisions(BankState state, List<MemoryEvent> events, List<MemoryEffect> effects) {
    public MemoryDecisions {
        events = List.copyOf(events);
        effects = List.copyOf(effects);
    }
}
