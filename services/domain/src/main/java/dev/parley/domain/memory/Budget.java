package dev.parley.domain.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Quota of a bank, and its use of models on the current day. A pending call is charged its maximum: a prompt has at
 * most as many tokens as bytes, and an answer is assumed to have at most {@link #ANSWER}. So completed calls stay
 * within the quota unless an answer is longer.
 *
 * @param day UTC day counted, in days since 1970
 * @param calls made on that day
 * @param tokens used on that day, including reservations of calls whose usage was never reported
 * @param reserved for pending calls
 */
public record Budget(BankQuota allowance, long day, int calls, long tokens, List<Reserved> reserved) {
    /** Assumed maximum tokens of an answer. */
    public static final long ANSWER = 4_096;

    /** The budget of a new bank. */
    static final Budget NEW = new Budget(BankQuota.DEFAULT, 0, 0, 0, List.of());

    public Budget {
        reserved = List.copyOf(reserved);
    }

    public Budget with(BankQuota value) {
        return new Budget(value, day, calls, tokens, reserved);
    }

    /** On the day of this time; never moves back, even if the clock does. */
    public Budget on(Instant now) {
        long today = now.getEpochSecond() / Duration.ofDays(1).toSeconds();
        return today > day ? new Budget(allowance, today, 0, 0, reserved) : this;
    }

    /** Whether a call of up to this many tokens is within the quota. */
    public boolean allows(long maxTokens) {
        long pending = reserved.stream().mapToLong(Reserved::tokens).sum();
        return calls < allowance.modelCalls() && tokens + pending + maxTokens <= allowance.modelTokens();
    }

    /** Reserves tokens for a call; an earlier attempt is charged its reservation. */
    public Budget reserve(UUID callId, long maxTokens) {
        Budget before = chargeReservation(callId);
        return new Budget(
                allowance,
                day,
                before.calls + 1,
                before.tokens,
                Stream.concat(before.reserved.stream(), Stream.of(new Reserved(callId, maxTokens)))
                        .toList());
    }

    /** Charges the reservation of a call whose usage will never be reported. */
    public Budget chargeReservation(UUID callId) {
        return charge(callId, reservation(callId));
    }

    private long reservation(UUID callId) {
        return reserved.stream()
                .filter(call -> call.callId().equals(callId))
                .mapToLong(Reserved::tokens)
                .sum();
    }

    /** Charges the reported usage of a call. */
    public Budget charge(UUID callId, long usage) {
        return new Budget(
                allowance,
                day,
                calls,
                tokens + usage,
                reserved.stream().filter(call -> !call.callId().equals(callId)).toList());
    }

    /** The reservation of a pending call. */
    public record Reserved(UUID callId, long tokens) {}
}
