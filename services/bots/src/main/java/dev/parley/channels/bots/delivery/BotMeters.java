package dev.parley.channels.bots.delivery;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Metrics of one bot. */
public final class BotMeters implements AutoCloseable {
    private final MeterRegistry registry;
    private final String bot;
    private final List<Gauge> gauges = new ArrayList<>();
    final Counter replies;
    final Counter sends;
    final Counter edits;
    final Counter inDoubt;
    final Counter failed;
    final Counter tooFast;
    private final Timer delivery;

    public BotMeters(MeterRegistry registry, String bot) {
        this.registry = registry;
        this.bot = bot;
        replies = registry.counter("parley_channel_replies", "bot", bot);
        sends = registry.counter("parley_channel_sends", "bot", bot);
        edits = registry.counter("parley_channel_edits", "bot", bot);
        inDoubt = registry.counter("parley_channel_in_doubt", "bot", bot);
        failed = registry.counter("parley_channel_failed", "bot", bot);
        tooFast = registry.counter("parley_channel_too_fast", "bot", bot);
        delivery = registry.timer("parley_channel_delivery", "bot", bot);
    }

    /**
     * Registers the gauges.
     *
     * @param oldest age in seconds of the oldest open turn or reply
     * @param works returns whether the bot has no problem
     */
    void watch(Supplier<Number> oldest, BooleanSupplier works) {
        gauges.add(Gauge.builder("parley_channel_oldest_seconds", oldest)
                .tag("bot", bot)
                .register(registry));
        gauges.add(Gauge.builder("parley_channel_up", () -> works.getAsBoolean() ? 1 : 0)
                .tag("bot", bot)
                .register(registry));
    }

    /** Another instance owns the bot. */
    @Override
    public void close() {
        gauges.forEach(registry::remove);
    }

    /** Records the time from reply to delivery. */
    void took(Duration time) {
        delivery.record(time);
    }
}
