package dev.parley.channels.contract;

import dev.parley.platform.config.BotConfig;

/** A kind of channel, such as Telegram. docs/channels.md has what an adapter promises; its conformance test checks it. */
public interface Channel {

    /** Its name in sessions and in settings: {@code telegram}. */
    String kind();

    /**
     * Starts a bot: from here on it takes messages in and sends what it is told to. The caller owns it, alone among all
     * instances, until it closes it.
     */
    Connection connect(BotConfig bot, Intake intake);
}
