package dev.parley.channels.contract;

import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.Secrets;
import java.util.List;

/** Read-only check of a bot with its platform. */
@FunctionalInterface
public interface BotCheck {
    /** A finding without secrets; a problem says what to do. */
    record Finding(boolean isFine, String text) {}

    /** At least one finding. */
    List<Finding> of(BotConfig bot, Secrets secrets) throws InterruptedException;
}
