package dev.parley.server.sessionreplay;

import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.ModelRequest;
import java.time.Duration;

/** Calls a model. */
@FunctionalInterface
interface ModelCaller {
    /**
     * Returns the answer or the failure.
     *
     * @param timeout of the call
     */
    CallResult call(ModelRequest request, Duration timeout) throws InterruptedException;
}
