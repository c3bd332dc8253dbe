package dev.parley.domain.memory;

import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Outcome;
import java.util.List;
import java.util.UUID;

/** What the shell has to do, in order, after the events of a decision were written. */
public sealed interface MemoryEffect {

    /** Keep a chunk that waits to be read. */
    record Wait(long number, BankState.Waiting waiting) implements MemoryEffect {}

    /** The chunk with this number does not wait any more. */
    record Take(long number) implements MemoryEffect {}

    /** Ask a model to read. */
    record AskModel(ModelRequest request) implements MemoryEffect {}

    /** Ask what texts mean. */
    record Embed(EmbedRequest request) implements MemoryEffect {}

    /** Look for something in the bank, on other threads, and tell it as a result. */
    record Find(Search search) implements MemoryEffect {}

    /** Give a command to another bank. */
    record Give(MemoryCommand command) implements MemoryEffect {}

    /** Tell whoever waits at this partition of the topic of outcomes. */
    record Tell(int partition, Outcome outcome) implements MemoryEffect {}

    /** Remember a command's outcome, to repeat it for a duplicate. */
    record Remember(UUID commandId, Outcome outcome) implements MemoryEffect {}

    /** Write tombstones over events with these numbers: what they hold is erased. */
    record Erase(List<Long> events) implements MemoryEffect {
        public Erase {
            events = List.copyOf(events);
        }
    }
}
