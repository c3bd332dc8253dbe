package dev.parley.channels.contract;

import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.Secrets;
import java.util.List;

/** Read-only check of a bot with its platform. */
@FunctionalInterface
public interface BotCheck {
    /** At least one finding. */
    List<Finding> of(BotConfig bot, Secrets secrets) throws InterruptedException;
}
