package dev.parley.channels.webhook;

import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.BotKindProvider;

/** Makes the bots of webhooks known. */
public final class WebhookKind implements BotKindProvider {
    @Override
    public BotKind kind() {
        return WebhookChannel.BOTS;
    }
}
