package dev.parley.platform.worker;

import java.time.Instant;
import java.util.UUID;

/** A record of a request topic as the worker loop sees it: a call or a cancellation. */
public sealed interface Work {

    /**
     * A call to be carried out.
     *
     * @param leaseUntil taken up after this moment, it is dropped: it has been asked again
     * @param deadline when the call is ended, finished or not
     */
    record Ask(UUID callId, int attempt, Instant leaseUntil, Instant deadline) implements Work {}

    /** Nobody wants the answer to this call any more. */
    record Cancel(UUID callId) implements Work {}
}
