package dev.parley.channels.contract;

import dev.parley.platform.config.BotConfig;
import java.util.Optional;

/** A kind of channel, such as Telegram. docs/channels.md has what an adapter promises; its conformance test checks it. */
public interface Channel {

    /** Its name in sessions and in settings: {@code telegram}. */
    String kind();

    /**
     * Starts a bot: from here on it takes messages in and sends what it is told to. The caller owns it, alone among all
     * instances, until it closes it.
     */
    Connection connect(BotConfig bot, Intake intake);

    /** The chat in which a bot and this person are alone; empty where the channel has none, or nobody knows its id. */
    default Optional<String> privateChat(String user) {
        return Optional.empty();
    }
}
