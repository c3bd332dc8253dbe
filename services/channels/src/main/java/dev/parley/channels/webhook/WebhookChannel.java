package dev.parley.channels.webhook;

import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.BotKind.Form;
import dev.parley.channels.contract.BotTokens;
import dev.parley.channels.contract.Channel;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.Intake;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.http.AddressGuard;
import java.util.Map;
import okhttp3.Dns;

/** Whatever speaks JSON over HTTP and signs it. Messages come in by {@link InboundWebhookController}, in whichever instance. */
public record WebhookChannel(BotTokens secrets, AddressGuard guard) implements Channel {
    /** Its name in sessions and in settings. */
    public static final String KIND = "webhook";

    /** What its bots have. */
    public static final BotKind BOTS = new BotKind(
            KIND,
            "webhook",
            null,
            new Form("[!-~]{16,256}", "is 16 to 256 printable characters without spaces"),
            Map.of(),
            new Form("[!-~]{1,126}", "has ids of people"),
            null,
            null);

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public Connection connect(BotConfig bot, Intake intake) {
        return new WebhookConnection(
                bot,
                () -> secrets.get(bot.token()),
                bot.isOperators() ? AddressGuard.ofOperators() : guard,
                Dns.SYSTEM);
    }

    /** The secret of both directions. */
    String secret(BotConfig bot) {
        return secrets.get(bot.token());
    }
}
