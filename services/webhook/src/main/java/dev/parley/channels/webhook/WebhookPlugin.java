package dev.parley.channels.webhook;

import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.BotKind.Form;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.InboundHttp;
import java.util.Map;
import java.util.Optional;
import okhttp3.Dns;

/** The channel of systems that exchange signed JSON over HTTP. */
public final class WebhookPlugin implements ChannelPlugin {
    private static final String KIND = "webhook";

    private static final BotKind BOTS = new BotKind(
            KIND,
            "webhook",
            null,
            new Form("[!-~]{16,256}", "is 16 to 256 printable characters without spaces"),
            Map.of(),
            new Form("[!-~]{1,126}", "contains ids of users"),
            null);

    private final InboundHttp inbound = new InboundWebhook();

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public Connection connect(ChannelBot bot) {
        return new WebhookConnection(bot, Dns.SYSTEM);
    }

    @Override
    public Optional<BotKind> description() {
        return Optional.of(BOTS);
    }

    @Override
    public Optional<InboundHttp> inbound() {
        return Optional.of(inbound);
    }
}
