package dev.parley.server.sessionreplay;

import dev.parley.domain.protocol.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Limits of a whole replay: time, tokens and cost. A call counts when it ends, so the last one may exceed them. */
public final class ReplayBounds {
    private static final long NANOS_OF_A_DOLLAR = 1_000_000_000L;

    private final Instant deadline;
    private final long tokens;
    private final long nanos;
    private long usedTokens;
    private long usedNanos;

    /** @param dollars counts calls of a known price only; {@code tokens} counts all */
    public ReplayBounds(Instant deadline, long tokens, double dollars) {
        this.deadline = deadline;
        this.tokens = tokens;
        this.nanos = (long) (dollars * NANOS_OF_A_DOLLAR);
    }

    Instant deadline() {
        return deadline;
    }

    void add(Usage usage) {
        usedTokens += usage.tokens();
        usedNanos += usage.costNanos() == null ? 0 : usage.costNanos();
    }

    /** The reached limit as text. */
    Optional<String> reachedLimit(Instant now) {
        if (!now.isBefore(deadline)) {
            return Optional.of("the replay has used up its time");
        }
        if (usedTokens >= tokens) {
            return Optional.of("the replay has used up its tokens");
        }
        return usedNanos >= nanos && nanos > 0 ? Optional.of("the replay has used up its money") : Optional.empty();
    }

    Duration timeLeft(Instant now) {
        return Duration.between(now, deadline);
    }
}
