package dev.parley.channels.plugin;

import dev.parley.channels.contract.InboundHttp.Receiver;
import dev.parley.platform.config.bot.BotConfig;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Receivers of bots on this instance. A receiver is valid while the settings of its bot are the same. */
final class ReceiverCache {
    private final Map<String, Cached> receivers = new ConcurrentHashMap<>();

    private record Cached(BotConfig bot, Receiver receiver) {}

    /** The receiver of a bot, created where none is valid. */
    Receiver get(BotConfig bot, Supplier<Receiver> create) {
        return receivers
                .compute(
                        bot.name(),
                        (_, before) ->
                                before != null && before.bot().equals(bot) ? before : new Cached(bot, create.get()))
                .receiver();
    }
}
