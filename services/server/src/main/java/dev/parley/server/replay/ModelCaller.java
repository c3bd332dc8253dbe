package dev.parley.server.replay;

import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.ModelRequest;
import java.time.Duration;

/** Calls a model. */
@FunctionalInterface
interface ModelCaller {
    /**
     * What it answers, or how it failed.
     *
     * @param patience how long it may take
     */
    CallResult call(ModelRequest request, Duration patience) throws InterruptedException;
}
