package dev.parley.channels.webhook;

import dev.parley.channels.contract.BotTokens;
import dev.parley.platform.config.ParleyConfig;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;

/** The bean of webhooks in the role {@code channels}. */
@Factory
@Requires(property = "parley.role.channels", value = "true", beans = ParleyConfig.class)
final class WebhookFactory {
    @Singleton
    WebhookChannel webhooks(BotTokens tokens, ParleyConfig config) {
        return new WebhookChannel(tokens, config.powers());
    }
}
