package dev.parley.domain.protocol;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A pending call of a worker, which holds a lease on it; retried when the lease expires, or some time after a failure. */
public interface LeasedCall {
    UUID callId();

    /** The number of the attempt, from 1. */
    int attempt();

    /** When the worker's lease expires. */
    Instant leaseUntil();

    /** Time of the next attempt after a failure, or null. */
    @Nullable
    Instant retryAt();

    /** Time of the next attempt, or expiry of the lease. */
    default Instant due() {
        Instant retryAt = retryAt();
        return retryAt == null ? leaseUntil() : retryAt;
    }

    /** Whether this is the result of the attempt in progress, neither late nor a duplicate. */
    default boolean awaits(CallResult result) {
        return callId().equals(result.callId()) && attempt() == result.attempt() && retryAt() == null;
    }
}
