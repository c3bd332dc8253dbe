package dev.parley.domain.proof;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The scope of a verification. Whatever started in [{@code from}, {@code to}) is judged; ends count at any time.
 *
 * @param now time of the verification: what started less than {@code grace} before may be in progress
 * @param outcomesSince outcomes of commands are known from this time on; null if they are not known
 * @param delivered processed offsets of {@code replies} by partition
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

    /** Whether what started there may still be in progress. */
    boolean isYoung(Instant start) {
        return start.plus(grace).isAfter(now);
    }

    boolean knowsOutcome(Place command) {
        return outcomesSince != null && !command.at().isBefore(outcomesSince);
    }
}
