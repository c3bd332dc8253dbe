package dev.parley.channels.webhook;

import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.BotKind.Form;
import dev.parley.channels.contract.BotTokens;
import dev.parley.channels.contract.Channel;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.ReplyUrls;
import dev.parley.domain.RecordKey;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.http.AddressGuard;
import dev.parley.platform.http.Caller;
import dev.parley.platform.power.PowerGrants;
import java.util.Map;
import okhttp3.Dns;

/**
 * The channel of systems that exchange signed JSON over HTTP. {@link InboundWebhookController} receives messages, on
 * every instance.
 *
 * @param powers which projects may have their replies sent into the private network
 */
public record WebhookChannel(BotTokens secrets, PowerGrants powers) implements Channel {
    /** The kind in sessions and settings. */
    public static final String KIND = "webhook";

    /** The settings of its bots. */
    public static final BotKind BOTS = new BotKind(
            KIND,
            "webhook",
            null,
            new Form("[!-~]{16,256}", "is 16 to 256 printable characters without spaces"),
            Map.of(),
            new Form("[!-~]{1,126}", "contains ids of users"),
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
                bot.isOperators() ? AddressGuard.ofOperators() : guard(bot),
                Dns.SYSTEM);
    }

    /** Only projects of the installation's own host have bots. */
    private AddressGuard guard(BotConfig bot) {
        return ReplyUrls.guard(powers, new CatalogueScope(Caller.DEFAULT_HOST, RecordKey.projectId(bot.project())));
    }

    /** The secret of both directions. */
    String secret(BotConfig bot) {
        return secrets.get(bot.token());
    }
}
