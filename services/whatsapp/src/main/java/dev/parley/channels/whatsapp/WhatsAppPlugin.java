package dev.parley.channels.whatsapp;

import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.BotKind.Form;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.ConfiguredBot;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.Finding;
import dev.parley.channels.contract.InboundHttp;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** WhatsApp, by its Cloud API. A bot is one phone number of a business. */
public final class WhatsAppPlugin implements ChannelPlugin {
    static final String KIND = "whatsapp";

    /** The secret with which Meta signs webhooks. */
    static final String APP_SECRET = "appSecret";

    /** The secret by which Meta verifies the address of webhooks. */
    static final String VERIFY_TOKEN = "verifyToken";

    /** The id of the phone number. */
    static final String PHONE_NUMBER_ID = "phoneNumberId";

    /** Name and language of the template for messages after the 24-hour window. */
    static final String TEMPLATE = "template";

    /** The settings of its bots. One token may have several phone numbers. */
    static final BotKind BOTS = new BotKind(
            KIND,
            "WhatsApp",
            URI.create("https://graph.facebook.com/v24.0"),
            new Form("[A-Za-z0-9_-]{20,1000}", "is an access token of a system user, which usually begins with EAA"),
            Map.of(
                    APP_SECRET,
                    new Form("[0-9a-f]{32}", "is the app secret: 32 digits and letters from a to f"),
                    VERIFY_TOKEN,
                    new Form("[!-~]{8,200}", "is a text of 8 to 200 characters without spaces, which you choose")),
            Map.of(
                    PHONE_NUMBER_ID,
                    new Form("\\d{5,25}", "is the id of a phone number: digits, and not the number itself"),
                    TEMPLATE,
                    new Form(
                            "|[a-z0-9_]{1,200}/[a-z]{2,3}(_[A-Z]{2,3})?",
                            "is the name and language of a message template, such as update/en_US")),
            new Form(
                    "[A-Z]{2}\\.[A-Za-z0-9]{1,123}",
                    "contains user ids of WhatsApp, such as \"US.13491208655302741918\", not phone numbers"),
            null);

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public Optional<BotKind> description() {
        return Optional.of(BOTS);
    }

    /** The id of a private chat is that of its person. */
    @Override
    public Optional<String> privateChat(String user) {
        return Optional.of(user);
    }

    @Override
    public Connection connect(ChannelBot bot) {
        if (bot.reference(APP_SECRET).isEmpty()) {
            throw new IllegalArgumentException(
                    "needs the secret " + APP_SECRET + ", which proves who sends its webhooks");
        }
        return new WhatsAppBot(bot, new WhatsAppApi(bot));
    }

    @Override
    public Optional<InboundHttp> inbound() {
        return Optional.of(new InboundNotifications());
    }

    @Override
    public List<Finding> check(ConfiguredBot bot) throws InterruptedException {
        return WhatsAppCheck.of(bot);
    }

    /** A setting, or empty. */
    static String setting(ConfiguredBot bot, String name) {
        return bot.settings().getOrDefault(name, "");
    }
}
