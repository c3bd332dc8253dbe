package dev.parley.channels.hooks;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** When what failed is tried again, and when an address is given up. */
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
    private static final Duration LONGEST = Duration.ofHours(12);
    private static final int FAILURES = 20;
    private static final Duration FAILING = Duration.ofHours(24);
    private static final int GONE = 410;

    private HookRetries() {}

    /**
     * How long to wait after an attempt; empty after the last one.
     *
     * @param attempts that were made, with this one
     * @param asked what the other side asked for, or null
     * @param part of the wait that is added, 0 to 1, so that not all come at once: a tenth at the most
     */
    static Optional<Duration> after(int attempts, @Nullable Duration asked, double part) {
        if (attempts > WAITS.size()) {
            return Optional.empty();
        }
        Duration wait = WAITS.get(attempts - 1);
        Duration spread = wait.plusMillis((long) (wait.toMillis() * 0.1 * part));
        if (asked == null || asked.compareTo(spread) <= 0) {
            return Optional.of(spread);
        }
        return Optional.of(asked.compareTo(LONGEST) > 0 ? LONGEST : asked);
    }

    /**
     * Why nothing more is sent there; empty where it goes on.
     *
     * @param status of the attempt that has just failed, 0 where there was no answer
     * @param failures one after the other, with this one
     * @param since when the first of these was
     */
    static Optional<String> givenUp(int status, int failures, Instant since, Instant now) {
        if (status == GONE) {
            return Optional.of("it answered 410: nobody is there any more");
        }
        boolean long_ = Duration.between(since, now).compareTo(FAILING) >= 0;
        return failures >= FAILURES && long_
                ? Optional.of("%d attempts failed one after the other, since %s".formatted(failures, since))
                : Optional.empty();
    }
}
