package dev.parley.channels.hooks;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Retry schedule of deliveries, and the rule that disables a failing webhook. */
final class HookRetries {
    private static final List<Duration> WAITS = List.of(
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofMinutes(1),
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            Duration.ofHours(2),
            Duration.ofHours(6),
            Duration.ofHours(12));
    private static final Duration MAX_WAIT = Duration.ofHours(12);
    private static final int MAX_FAILURES = 20;
    private static final Duration MIN_FAILING = Duration.ofHours(24);
    private static final int GONE = 410;

    private HookRetries() {}

    /**
     * The wait after a failed attempt; empty after the last one.
     *
     * @param attempts attempts made, including this one
     * @param retryAfter {@code Retry-After} of the receiver, or null
     * @param jitter from 0 to 1; 1 adds a tenth of the wait
     */
    static Optional<Duration> after(int attempts, @Nullable Duration retryAfter, double jitter) {
        if (attempts > WAITS.size()) {
            return Optional.empty();
        }
        Duration wait = WAITS.get(attempts - 1);
        Duration spread = wait.plusMillis((long) (wait.toMillis() * 0.1 * jitter));
        if (retryAfter == null || retryAfter.compareTo(spread) <= 0) {
            return Optional.of(spread);
        }
        return Optional.of(retryAfter.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : retryAfter);
    }

    /**
     * The reason why the webhook is disabled; empty while it stays enabled.
     *
     * @param status of the failed attempt, 0 without an answer
     * @param failures consecutive failures, including this one
     * @param failingSince time of the first of them
     */
    static Optional<String> disableReason(int status, int failures, Instant failingSince, Instant now) {
        if (status == GONE) {
            return Optional.of("it answered 410 Gone");
        }
        boolean lasting = Duration.between(failingSince, now).compareTo(MIN_FAILING) >= 0;
        return failures >= MAX_FAILURES && lasting
                ? Optional.of("%d consecutive attempts failed since %s".formatted(failures, failingSince))
                : Optional.empty();
    }
}
