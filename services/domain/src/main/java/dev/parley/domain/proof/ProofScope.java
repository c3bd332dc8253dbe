package dev.parley.domain.proof;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is to be proved. What began from {@code from} to before {@code to} is judged; ends count whenever they came.
 *
 * @param now as of when: what began less than {@code grace} before may be under way
 * @param outcomesSince outcomes of commands from then on are known; null where they are not known at all
 * @param delivered how far bots have dealt with {@code replies}, by partition
 */
public record ProofScope(
        Instant from,
        Instant to,
        Instant now,
        Duration grace,
        @Nullable Instant outcomesSince,
        Map<Integer, Long> delivered) {
    public ProofScope {
        if (!from.isBefore(to)) {
            throw new IllegalArgumentException("the range ends before it begins");
        }
        delivered = Map.copyOf(delivered);
    }

    boolean has(Place place) {
        return !place.at().isBefore(from) && place.at().isBefore(to);
    }

    /** Whether what began there may still be under way. */
    boolean isYoung(Instant begun) {
        return begun.plus(grace).isAfter(now);
    }

    boolean knowsOutcome(Place command) {
        return outcomesSince != null && !command.at().isBefore(outcomesSince);
    }
}
