package dev.parley.platform.worker;

import java.time.Instant;
import java.util.UUID;

/** A record of a request topic: a call or its cancellation. */
public sealed interface WorkerRequest {

    /**
     * Requests a call.
     *
     * @param leaseUntil after this time a call that was not started is dropped, since it is requested again
     * @param deadline time at which the call is ended, finished or not
     */
    record Call(UUID callId, int attempt, Instant leaseUntil, Instant deadline) implements WorkerRequest {}

    /** Cancels a call. */
    record Cancel(UUID callId) implements WorkerRequest {}
}
