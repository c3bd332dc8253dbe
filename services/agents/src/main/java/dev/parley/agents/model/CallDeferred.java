package dev.parley.agents.model;

import dev.parley.domain.protocol.ErrorCategory;
import java.time.Duration;
import java.util.List;

/** A call that is retried later and loses no attempt: the model was not called. */
final class CallDeferred extends ModelFailure {
    private final Duration delay;

    /** @param reason the reason, for operators */
    CallDeferred(Duration delay, String reason) {
        super(ErrorCategory.OVERLOADED, reason, delay, List.of());
        this.delay = delay;
    }

    /** A call of a model whose circuit breaker is open. */
    static CallDeferred circuitOpen(String provider, Duration delay) {
        return new CallDeferred(delay, provider + " has failed too often; its circuit breaker is open");
    }

    /** The delay before the retry. */
    Duration delay() {
        return delay;
    }
}
