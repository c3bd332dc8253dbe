package dev.parley.platform.dispatch;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A worker of this process, as the topologies of this process see it. Thread-safe and non-blocking.
 *
 * @param <W> the values of its request topic
 */
public interface LocalWorker<W> {
    /**
     * Takes a call, unless the worker has no room or stops. A call that is under way already answers here from now on.
     *
     * @param key record key of the asker
     * @param trace W3C trace parent, or null
     * @param answers where the call's signs of life and its one answer go
     * @return whether the call is taken; if not, nothing has happened
     */
    boolean take(W request, String key, @Nullable String trace, Answers answers);

    /** Whether the call may be carried out although what asked for it is not committed yet: it is repeated after a crash. */
    boolean isRepeatable(W request, String key);

    /** Stops a call. @return whether it is under way here */
    boolean cancel(UUID callId);
}
