package dev.parley.channels.bots;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** What is counted of one bot. */
final class BotMeters {
    final Counter replies;
    final Counter sends;
    final Counter edits;
    final Counter inDoubt;
    final Counter failed;
    final Counter tooFast;
    private final Timer delivery;

    BotMeters(MeterRegistry registry, String bot) {
        replies = registry.counter("parley_channel_replies", "bot", bot);
        sends = registry.counter("parley_channel_sends", "bot", bot);
        edits = registry.counter("parley_channel_edits", "bot", bot);
        inDoubt = registry.counter("parley_channel_in_doubt", "bot", bot);
        failed = registry.counter("parley_channel_failed", "bot", bot);
        tooFast = registry.counter("parley_channel_too_fast", "bot", bot);
        delivery = registry.timer("parley_channel_delivery", "bot", bot);
    }

    /** From when a reply was there to when it was delivered. */
    void took(Duration time) {
        delivery.record(time);
    }
}
