package dev.parley.domain.memory;

import dev.parley.domain.bank.Vector;
import dev.parley.domain.memory.BankState.Waiting;
import dev.parley.domain.protocol.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * What a decision about a bank may depend on besides state and input.
 *
 * @param now the time
 * @param memory what the bank knows
 * @param neighbours finds units by what they mean
 * @param seen the outcome of a command that was decided before, by its id
 * @param waiting the chunk that waits under a number
 * @param log the bank's events before this decision
 * @param models names of those that make vectors here
 */
public record BankView(
        Instant now,
        BankMemory memory,
        Neighbours neighbours,
        Function<UUID, Optional<Outcome>> seen,
        LongFunction<Optional<Waiting>> waiting,
        Log log,
        Set<String> models) {

    /** Events of a bank. */
    @FunctionalInterface
    public interface Log {
        /** Those that are not erased, in their order, from this number on; at most so many. */
        List<MemoryEvent> from(long number, int most);
    }

    /** Finds units by what they mean. */
    @FunctionalInterface
    public interface Neighbours {
        /** Units of a type whose vector is at least this close, the closest first. */
        List<Neighbour> nearest(Vector vector, String generation, FactType type, double floor, int most);
    }

    /** A unit, and how close it is: a cosine. */
    public record Neighbour(UUID unit, double cosine) {}
}
