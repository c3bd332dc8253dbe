package dev.parley.channels.contract;

import dev.parley.platform.config.BotConfig;
import java.util.Optional;

/**
 * A kind of channel, such as Telegram. The promises of an adapter are in docs/channels.md; its conformance test checks
 * them.
 */
public interface Channel {

    /** The kind in sessions and settings: {@code telegram}. */
    String kind();

    /**
     * Starts a bot, which from now on receives messages and sends replies. The caller is its only owner among all
     * instances until it closes the connection.
     */
    Connection connect(BotConfig bot, Intake intake);

    /** The private chat of a bot with a user; empty where the channel has none, or its id is unknown. */
    default Optional<String> privateChat(String user) {
        return Optional.empty();
    }
}
