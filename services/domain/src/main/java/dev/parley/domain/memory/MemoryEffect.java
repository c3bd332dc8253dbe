package dev.parley.domain.memory;

import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Outcome;
import java.util.List;
import java.util.UUID;

/** A side effect that the caller executes, in order, after the decision's events were written. */
public sealed interface MemoryEffect {

    /** Stores a chunk queued for extraction. */
    record Enqueue(long number, BankState.Waiting waiting) implements MemoryEffect {}

    /** Removes a chunk from the queue. */
    record Dequeue(long number) implements MemoryEffect {}

    /** Sends a request to a model. */
    record CallModel(ModelRequest request) implements MemoryEffect {}

    /** Requests embedding vectors. */
    record Embed(EmbedRequest request) implements MemoryEffect {}

    /** Searches the bank on another thread; the matches come back as a result. */
    record RunSearch(Search search) implements MemoryEffect {}

    /** Sends a command to another bank. */
    record SendCommand(MemoryCommand command) implements MemoryEffect {}

    /** Sends an outcome to the instance that waits on this partition of the topic of outcomes. */
    record SendOutcome(int partition, Outcome outcome) implements MemoryEffect {}

    /** Stores the outcome of a command, to repeat it for duplicates. */
    record StoreOutcome(UUID commandId, Outcome outcome) implements MemoryEffect {}

    /** Writes tombstones for the events with these numbers, which erases their content. */
    record Erase(List<Long> events) implements MemoryEffect {
        public Erase {
            events = List.copyOf(events);
        }
    }
}
