package dev.parley.domain.memory;

import dev.parley.domain.access.TimeZones;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.memory.BankState.Waiting;
import dev.parley.domain.memory.index.BankMemory;
import dev.parley.domain.protocol.Outcome;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * The inputs of a decision about a bank besides state and {@link MemoryInput}.
 *
 * @param now the current time
 * @param memory index of the bank's contents
 * @param neighbours vector search
 * @param seen the stored outcome of an earlier command, by id
 * @param waiting reads a queued chunk by number
 * @param log the bank's events before this decision
 * @param models names of the available embedding models
 * @param zones time zones of speakers
 */
public record BankView(
        Instant now,
        BankMemory memory,
        Neighbours neighbours,
        Function<UUID, Optional<Outcome>> seen,
        LongFunction<Optional<Waiting>> waiting,
        Log log,
        Set<String> models,
        TimeZones zones) {

    /** The units of a type nearest to a unit that has a vector, with at least this cosine, nearest first. */
    public List<Neighbour> nearest(Unit unit, FactType type, double floor, int limit) {
        return neighbours.nearest(
                Objects.requireNonNull(unit.vector()), Objects.requireNonNull(unit.generation()), type, floor, limit);
    }

    /** The events of a bank. */
    @FunctionalInterface
    public interface Log {
        /** Events from this number on that are not erased, in order, up to a maximum. */
        List<MemoryEvent> from(long number, int limit);
    }

    /** Vector search over units. */
    @FunctionalInterface
    public interface Neighbours {
        /** The nearest units of a type with at least this cosine, nearest first. */
        public List<Neighbour> nearest(Vector vector, String generation, FactType type, double floor, int limit);
    }

    /** A unit with its cosine similarity. */
    public record Neighbour(UUID unit, double cosine) {
        public static final Comparator<Neighbour> NEAREST_FIRST =
                Comparator.comparingDouble(Neighbour::cosine).reversed().thenComparing(Neighbour::unit);
    }
}
