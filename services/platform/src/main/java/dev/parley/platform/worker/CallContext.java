package dev.parley.platform.worker;

import org.jspecify.annotations.Nullable;

/**
 * What a call's execution may know of its surroundings.
 *
 * @param key the asker's record key
 * @param trace W3C trace parent of the request, or null
 * @param cancellation says when to stop
 */
public record CallContext(String key, @Nullable String trace, Cancellation cancellation) {}
