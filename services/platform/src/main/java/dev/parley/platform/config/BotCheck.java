package dev.parley.platform.config;

import dev.parley.channels.contract.Finding;
import java.util.List;

/** Read-only check of a bot with its platform. */
@FunctionalInterface
public interface BotCheck {
    /** At least one finding. */
    List<Finding> of(BotConfig bot, Secrets secrets) throws InterruptedException;
}
