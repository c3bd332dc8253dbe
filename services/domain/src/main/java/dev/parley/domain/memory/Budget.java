package dev.parley.domain.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * What a bank may spend on models, and has spent on one day. A call that is not answered counts as the most that it may use: its prompt
 * has no more tokens than bytes, and its answer is not expected to have more than {@link #ANSWER}. So the calls that are answered
 * never come to more than is allowed, as long as no answer is longer than that.
 *
 * @param day that is counted, in days since 1970
 * @param calls that were made on that day
 * @param tokens that were used on that day, and those that calls reserved which never told what they used
 * @param reserved for calls that are not answered yet
 */
public record Budget(Allowance allowance, long day, int calls, long tokens, List<Reserved> reserved) {
    /** Tokens that an answer is expected to have at most. */
    static final long ANSWER = 4_096;

    /** Of a new bank. */
    static final Budget NEW = new Budget(Allowance.USUAL, 0, 0, 0, List.of());

    public Budget {
        reserved = List.copyOf(reserved);
    }

    Budget with(Allowance value) {
        return new Budget(value, day, calls, tokens, reserved);
    }

    /** On the day of this moment; a clock that is behind another one gives no day back. */
    Budget on(Instant now) {
        long today = now.getEpochSecond() / Duration.ofDays(1).toSeconds();
        return today > day ? new Budget(allowance, today, 0, 0, reserved) : this;
    }

    /** Whether a call that may use so many tokens can be made. */
    boolean allows(long most) {
        long open = reserved.stream().mapToLong(Reserved::tokens).sum();
        return calls < allowance.modelCalls() && tokens + open + most <= allowance.modelTokens();
    }

    /** A call is made; an earlier attempt of it may have used all that it was given. */
    Budget asked(UUID callId, long most) {
        Budget before = lost(callId);
        return new Budget(
                allowance,
                day,
                before.calls + 1,
                before.tokens,
                Stream.concat(before.reserved.stream(), Stream.of(new Reserved(callId, most)))
                        .toList());
    }

    /** Nobody will say what a call used. */
    Budget lost(UUID callId) {
        return used(callId, of(callId));
    }

    private long of(UUID callId) {
        return reserved.stream()
                .filter(one -> one.callId().equals(callId))
                .mapToLong(Reserved::tokens)
                .sum();
    }

    /** A call used so many tokens. */
    Budget used(UUID callId, long actual) {
        return new Budget(
                allowance,
                day,
                calls,
                tokens + actual,
                reserved.stream().filter(one -> !one.callId().equals(callId)).toList());
    }

    /** What a call may use that is not answered yet. */
    public record Reserved(UUID callId, long tokens) {}
}
