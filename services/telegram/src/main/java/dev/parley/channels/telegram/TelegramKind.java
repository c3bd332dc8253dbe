package dev.parley.channels.telegram;

import dev.parley.channels.contract.BotKind;
import dev.parley.platform.config.BotCheck;
import dev.parley.platform.config.BotKindProvider;

/** Makes the bots of Telegram known. */
public final class TelegramKind implements BotKindProvider {
    @Override
    public BotKind kind() {
        return TelegramChannel.BOTS;
    }

    @Override
    public BotCheck check() {
        return TelegramCheck::of;
    }
}
