package dev.parley.channels.chat;

import dev.parley.platform.config.BotConfig;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Handlers of events that a platform sends to any instance, by bot. A handler is valid while the settings of its bot
 * are the same.
 */
public final class HandlerCache<H> {
    private final Map<String, Cached<H>> handlers = new ConcurrentHashMap<>();

    private record Cached<H>(BotConfig bot, H handler) {}

    /** The handler of a bot, created where none is valid. */
    public H get(BotConfig bot, Supplier<H> create) {
        return handlers.compute(
                        bot.name(),
                        (_, before) ->
                                before != null && before.bot().equals(bot) ? before : new Cached<>(bot, create.get()))
                .handler();
    }
}
