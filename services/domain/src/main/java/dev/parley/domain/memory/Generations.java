package dev.parley.domain.memory;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which models the vectors of a bank were made by. One generation is searched; beside it there is at most one other, which is being
 * made, or was searched before and is kept so that one can go back to it. All that is new gets vectors of both.
 *
 * @param current the one that is searched, or null before the first vector
 * @param other the one beside it, or null
 * @param wanted whether the other one is to be searched as soon as it is whole
 * @param next number of the first event of which it is not known yet whether the other one lacks a vector of it
 * @param filling what is being asked for the other one, or null
 */
public record Generations(
        @Nullable String current,
        @Nullable String other,
        boolean wanted,
        long next,
        @Nullable Filling filling) {
    /** Of a bank that has no vectors. */
    static final Generations NONE = new Generations(null, null, false, 1, null);

    /** As the event of this number says. What was made of a generation that stays is not made again; where two change places, all before has both. */
    Generations changed(String nowCurrent, @Nullable String nowOther, boolean nowWanted, long seq) {
        boolean same = Objects.equals(other, nowOther);
        boolean turned = Objects.equals(other, nowCurrent) && Objects.equals(current, nowOther);
        return new Generations(
                nowCurrent, nowOther, nowWanted, turned ? seq + 1 : same ? next : 1, same ? filling : null);
    }

    Generations asking(Filling value) {
        return new Generations(current, other, wanted, next, value);
    }

    /** Nothing is asked, and everything before this event has been looked at. */
    Generations upTo(long number) {
        return new Generations(current, other, wanted, number, null);
    }

    /** When something has to be done about the other one at the latest; null for nothing. */
    @Nullable
    Instant due(long lastSeq) {
        if (other == null) {
            return null;
        }
        return filling != null ? filling.due() : wanted || next <= lastSeq ? Instant.EPOCH : null;
    }

    /**
     * Vectors that are being asked for.
     *
     * @param attempt from 1
     * @param failures so far
     * @param leaseUntil when it is asked again, if nobody says that they have it
     * @param retryAt when it is asked again, after a failure; or null
     * @param parts what for, in order
     * @param to number of the first event behind what was looked at
     */
    public record Filling(
            UUID callId,
            int attempt,
            int failures,
            Instant leaseUntil,
            @Nullable Instant retryAt,
            List<FillingPart> parts,
            long to) {
        public Filling {
            parts = List.copyOf(parts);
        }

        Instant due() {
            return retryAt == null ? leaseUntil : retryAt;
        }

        Filling renewed(Instant until) {
            return new Filling(callId, attempt, failures, until, retryAt, parts, to);
        }

        Filling failed(Instant again) {
            return new Filling(callId, attempt, failures + 1, leaseUntil, again, parts, to);
        }
    }

    /** An event of which the other generation lacks vectors, and how many: by now it may be erased. */
    public record FillingPart(long event, int texts) {}
}
