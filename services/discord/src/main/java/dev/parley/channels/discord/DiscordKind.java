package dev.parley.channels.discord;

import dev.parley.channels.contract.BotKind;
import dev.parley.platform.config.BotCheck;
import dev.parley.platform.config.BotKindProvider;

/** Makes the bots of Discord known. */
public final class DiscordKind implements BotKindProvider {
    @Override
    public BotKind kind() {
        return DiscordChannel.BOTS;
    }

    @Override
    public BotCheck check() {
        return DiscordCheck::of;
    }
}
