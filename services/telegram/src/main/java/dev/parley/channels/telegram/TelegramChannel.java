package dev.parley.channels.telegram;

import dev.parley.channels.chat.ChatServices;
import dev.parley.channels.chat.HandlerCache;
import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.BotKind.Form;
import dev.parley.channels.contract.Channel;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.Intake;
import dev.parley.platform.clock.SteadyClock;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.ParleyConfig;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

@Singleton
@Requires(property = "parley.role.channels", value = "true", beans = ParleyConfig.class)
public final class TelegramChannel implements Channel {
    /** The kind in sessions and settings. */
    public static final String KIND = "telegram";

    /** The settings of its bots. The id of a bot precedes the colon in its token. */
    public static final BotKind BOTS = new BotKind(
            KIND,
            "Telegram",
            URI.create("https://api.telegram.org"),
            new Form(
                    "[0-9]{1,20}:[!-~]{8,200}",
                    "is the token from Telegram's BotFather: a number, a colon and letters"),
            Map.of(),
            new Form("[0-9]{1,19}", "contains ids of Telegram users, such as \"648079060\", not names"),
            token -> token.substring(0, token.indexOf(':')));

    private final ChatServices services;
    private final WebhookSecret secret;
    private final HandlerCache<UpdateHandler> handlers = new HandlerCache<>();
    private final Map<String, ChatBackoff> backoff = new ConcurrentHashMap<>();

    public TelegramChannel(ChatServices services) {
        this.services = services;
        this.secret = new WebhookSecret(services.secrets());
    }

    @Override
    public String kind() {
        return KIND;
    }

    /** The id of a private chat is that of its user. */
    @Override
    public Optional<String> privateChat(String user) {
        return Optional.of(user);
    }

    @Override
    public Connection connect(BotConfig bot, Intake intake) {
        BotApi api = api(bot);
        return new TelegramBot(
                bot, api, handler(bot, api, intake), services.buttons(bot), services.chatState(), secret);
    }

    /** The handler of updates that the webhook brings to this instance. */
    UpdateHandler handler(BotConfig bot, Intake intake) {
        return handlers.get(bot, () -> handler(bot, api(bot), intake));
    }

    WebhookSecret secret() {
        return secret;
    }

    private UpdateHandler handler(BotConfig bot, BotApi api, Intake intake) {
        return new UpdateHandler(bot, api, intake, services);
    }

    private BotApi api(BotConfig bot) {
        return new BotApi(
                bot.apiUrl(),
                services.token(bot),
                backoff.computeIfAbsent(bot.name(), _ -> new ChatBackoff(SteadyClock.OF_PROCESS)));
    }
}
