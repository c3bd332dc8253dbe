package dev.parley.channels.contract;

import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.Secrets;
import java.util.List;

/** Asks a platform about a bot, and changes nothing there. */
@FunctionalInterface
public interface BotCheck {
    /** What was found, in words without secrets; where it is not fine, with what to do. */
    record Finding(boolean isFine, String text) {}

    /** What there is to say about a bot, at least one thing. */
    List<Finding> of(BotConfig bot, Secrets secrets) throws InterruptedException;
}
