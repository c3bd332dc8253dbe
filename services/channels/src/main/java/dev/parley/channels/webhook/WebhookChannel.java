package dev.parley.channels.webhook;

import dev.parley.channels.contract.Channel;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.Intake;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.Secrets;

/** Whatever speaks JSON over HTTP and signs it. Messages come in by {@link HookController}, in whichever instance. */
public final class WebhookChannel implements Channel {
    /** Its name in sessions and in settings. */
    public static final String KIND = "webhook";

    private final Secrets secrets;

    public WebhookChannel(Secrets secrets) {
        this.secrets = secrets;
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public Connection connect(BotConfig bot, Intake intake) {
        return new WebhookConnection(bot, () -> secrets.get(bot.token()));
    }

    /** The secret of both directions. */
    String secret(BotConfig bot) {
        return secrets.get(bot.token());
    }
}
