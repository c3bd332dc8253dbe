package dev.parley.channels.contract;

import dev.parley.platform.config.BotConfig;
import java.util.Optional;

/** Which bots there are at this moment. */
@FunctionalInterface
public interface BotDirectory {
    /** The bot with this name. */
    Optional<BotConfig> find(String name);
}
