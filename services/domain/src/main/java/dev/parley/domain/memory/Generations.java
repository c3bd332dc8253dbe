package dev.parley.domain.memory;

import dev.parley.domain.protocol.LeasedCall;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The embedding generations of a bank. One is searched; at most one other is being built, or is kept to allow going
 * back. New content gets vectors of both.
 *
 * @param current the searched generation, or null before the first vector
 * @param other the second generation, or null
 * @param wanted whether to switch to the other generation when it is complete
 * @param next number of the first event not yet checked for missing vectors
 * @param filling pending vectors of the other generation, or null
 */
public record Generations(
        @Nullable String current,
        @Nullable String other,
        boolean wanted,
        long next,
        @Nullable Filling filling) {
    /** The generations of a bank without vectors. */
    static final Generations NONE = new Generations(null, null, false, 1, null);

    /**
     * Applies a change at the event of this number. A generation that stays is not rebuilt; after a swap, all earlier
     * content has both.
     */
    public Generations change(String nowCurrent, @Nullable String nowOther, boolean nowWanted, long seq) {
        boolean isOtherUnchanged = Objects.equals(other, nowOther);
        boolean swapped = Objects.equals(other, nowCurrent) && Objects.equals(current, nowOther);
        return new Generations(
                nowCurrent,
                nowOther,
                nowWanted,
                swapped ? seq + 1 : isOtherUnchanged ? next : 1,
                isOtherUnchanged ? filling : null);
    }

    public Generations withFilling(Filling value) {
        return new Generations(current, other, wanted, next, value);
    }

    /** All events before this one have been checked, and no request is pending. */
    public Generations upTo(long number) {
        return new Generations(current, other, wanted, number, null);
    }

    /** Time of the next action on the other generation; null for none. */
    @Nullable
    public Instant due(long lastSeq) {
        if (other == null) {
            return null;
        }
        return filling != null ? filling.due() : wanted || next <= lastSeq ? Instant.EPOCH : null;
    }

    /**
     * A pending request for vectors.
     *
     * @param attempt from 1
     * @param failures so far
     * @param leaseUntil when the worker's lease expires and the call is retried
     * @param retryAt time of the next attempt after a failure, or null
     * @param parts the events, in order
     * @param to number of the first event after the checked ones
     */
    public record Filling(
            UUID callId,
            int attempt,
            int failures,
            Instant leaseUntil,
            @Nullable Instant retryAt,
            List<FillingPart> parts,
            long to)
            implements LeasedCall {
        public Filling {
            parts = List.copyOf(parts);
        }

        public Filling renewLease(Instant leaseUntil) {
            return new Filling(callId, attempt, failures, leaseUntil, retryAt, parts, to);
        }

        public Filling failAttempt(Instant nextAttempt) {
            return new Filling(callId, attempt, failures + 1, leaseUntil, nextAttempt, parts, to);
        }
    }

    /** An event with missing vectors and their number; it may have been erased since. */
    public record FillingPart(long event, int texts) {}
}
