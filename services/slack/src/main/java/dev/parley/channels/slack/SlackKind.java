package dev.parley.channels.slack;

import dev.parley.channels.contract.BotKind;
import dev.parley.platform.config.BotCheck;
import dev.parley.platform.config.BotKindProvider;

/** Makes the bots of Slack known. */
public final class SlackKind implements BotKindProvider {
    @Override
    public BotKind kind() {
        return SlackChannel.BOTS;
    }

    @Override
    public BotCheck check() {
        return SlackCheck::of;
    }
}
