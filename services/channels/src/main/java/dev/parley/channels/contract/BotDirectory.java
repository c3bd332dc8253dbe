package dev.parley.channels.contract;

import dev.parley.platform.config.bot.BotConfig;
import java.util.Optional;

/** Lookup of bots by name. */
@FunctionalInterface
public interface BotDirectory {
    /** The current bot with this name. */
    Optional<BotConfig> find(String name);
}
