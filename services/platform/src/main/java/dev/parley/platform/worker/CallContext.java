package dev.parley.platform.worker;

import org.jspecify.annotations.Nullable;

/**
 * What a call's execution may know of its surroundings.
 *
 * @param key the asker's record key
 * @param trace W3C trace parent of the request, or null
 * @param cancellation says when to stop
 * @param inMemory whether the answer goes to a topology of this process in memory
 */
public record CallContext(String key, @Nullable String trace, Cancellation cancellation, boolean inMemory) {
    /** Of a call whose answer goes by its topic. */
    public CallContext(String key, @Nullable String trace, Cancellation cancellation) {
        this(key, trace, cancellation, false);
    }
}
