package dev.parley.platform.worker;

import org.jspecify.annotations.Nullable;

/**
 * The circumstances of a call.
 *
 * @param key record key of the requester
 * @param trace W3C trace parent of the request, or null
 * @param cancellation signals that the call must stop
 * @param inMemory whether the result goes to a topology of this process in memory
 */
public record CallContext(String key, @Nullable String trace, Cancellation cancellation, boolean inMemory) {
    /** The context of a call whose result goes to its topic. */
    public CallContext(String key, @Nullable String trace, Cancellation cancellation) {
        this(key, trace, cancellation, false);
    }
}
