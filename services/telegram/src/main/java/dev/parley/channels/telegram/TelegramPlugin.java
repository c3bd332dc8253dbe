package dev.parley.channels.telegram;

import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.BotKind.Form;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.ConfiguredBot;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.Finding;
import dev.parley.channels.contract.InboundHttp;
import dev.parley.platform.clock.SteadyClock;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Telegram. */
public final class TelegramPlugin implements ChannelPlugin {
    private static final String KIND = "telegram";

    /** The settings of its bots. The id of a bot precedes the colon in its token. */
    private static final BotKind BOTS = new BotKind(
            KIND,
            "Telegram",
            URI.create("https://api.telegram.org"),
            new Form(
                    "[0-9]{1,20}:[!-~]{8,200}",
                    "is the token from Telegram's BotFather: a number, a colon and letters"),
            Map.of(),
            new Form("[0-9]{1,19}", "contains ids of Telegram users, such as \"648079060\", not names"),
            token -> token.substring(0, token.indexOf(':')));

    private final WebhookSecrets secrets = new WebhookSecrets();
    private final Map<String, ChatBackoff> backoff = new ConcurrentHashMap<>();

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public Optional<BotKind> description() {
        return Optional.of(BOTS);
    }

    /** The id of a private chat is that of its user. */
    @Override
    public Optional<String> privateChat(String user) {
        return Optional.of(user);
    }

    @Override
    public Connection connect(ChannelBot bot) {
        BotApi api = api(bot);
        return new TelegramBot(bot, api, new UpdateHandler(bot, api), secrets);
    }

    @Override
    public Optional<InboundHttp> inbound() {
        return Optional.of(new InboundUpdates(bot -> new UpdateHandler(bot, api(bot))));
    }

    @Override
    public List<Finding> check(ConfiguredBot bot) throws InterruptedException {
        return TelegramCheck.of(bot);
    }

    private BotApi api(ConfiguredBot bot) {
        return new BotApi(
                bot.api(),
                bot::token,
                backoff.computeIfAbsent(bot.name(), _ -> new ChatBackoff(SteadyClock.OF_PROCESS)));
    }
}
