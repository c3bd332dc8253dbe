package dev.parley.platform.dispatch;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A worker of this process that takes calls in memory. Thread-safe and non-blocking.
 *
 * @param <W> the values of its request topic
 */
public interface LocalWorker<W> {
    /**
     * Takes a call, unless the worker has no free slot or is stopping. A call that is running already sends its result
     * to this receiver from now on.
     *
     * @param key record key of the requester
     * @param trace W3C trace parent, or null
     * @param answers receives heartbeats and the result
     * @return whether the call is taken; if not, nothing has happened
     */
    boolean take(W request, String key, @Nullable String trace, ResultReceiver answers);

    /** Whether the call may run before the step that requested it is committed: a crash repeats it. */
    boolean isRepeatable(W request, String key);

    /** Stops a call; returns whether it is running here. */
    boolean cancel(UUID callId);
}
