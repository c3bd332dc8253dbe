package dev.parley.channels.openai.store;

import dev.parley.platform.service.Recurring;
import java.time.Duration;

/** Deletes stored responses and calls after 30 days. */
final class ResponsePurge extends Recurring {
    private static final Duration INTERVAL = Duration.ofHours(1);

    private final ResponseStore store;

    ResponsePurge(ResponseStore store) {
        super("stored responses", INTERVAL, "old responses could not be deleted");
        this.store = store;
    }

    @Override
    protected void pass() {
        store.purge();
    }

    @Override
    protected Duration rest(boolean failed) {
        return INTERVAL;
    }
}
