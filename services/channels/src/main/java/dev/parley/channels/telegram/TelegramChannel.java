package dev.parley.channels.telegram;

import dev.parley.channels.chat.Buttons;
import dev.parley.channels.chat.ChatServices;
import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.BotKind.Form;
import dev.parley.channels.contract.Channel;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.Intake;
import dev.parley.platform.config.BotConfig;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Telegram. */
public final class TelegramChannel implements Channel {
    /** Its name in sessions and in settings. */
    public static final String KIND = "telegram";

    /** What its bots have. Who Telegram says a bot is stands before the colon of its token. */
    public static final BotKind BOTS = new BotKind(
            KIND,
            "Telegram",
            URI.create("https://api.telegram.org"),
            new Form("[0-9]{1,20}:[!-~]{8,200}", "is what Telegram's BotFather gave: a number, a colon and letters"),
            Map.of(),
            new Form("[0-9]{1,19}", "has ids of Telegram's users, such as \"648079060\", no names"),
            token -> token.substring(0, token.indexOf(':')),
            TelegramCheck::of);

    private final ChatServices services;
    private final WebhookSecret secret;
    private final Map<String, Desk> desks = new ConcurrentHashMap<>();
    private final Map<String, ChatBackoff> backoff = new ConcurrentHashMap<>();

    /** Where updates of a bot are taken in, as long as its settings are these. */
    private record Desk(BotConfig bot, UpdateHandler handler) {}

    public TelegramChannel(ChatServices services) {
        this.services = services;
        this.secret = new WebhookSecret(services.secrets());
    }

    @Override
    public String kind() {
        return KIND;
    }

    /** Whoever writes to a bot in private has a chat that is called as they are. */
    @Override
    public Optional<String> privateChat(String user) {
        return Optional.of(user);
    }

    @Override
    public Connection connect(BotConfig bot, Intake intake) {
        BotApi api = api(bot);
        return new TelegramBot(bot, api, handler(bot, api, intake), buttons(bot), services.memory(), secret);
    }

    /** Where updates are taken in that are brought to this instance. */
    UpdateHandler handler(BotConfig bot, Intake intake) {
        Desk desk = desks.compute(
                bot.name(),
                (_, before) -> before != null && before.bot().equals(bot)
                        ? before
                        : new Desk(bot, handler(bot, api(bot), intake)));
        return desk.handler();
    }

    WebhookSecret secret() {
        return secret;
    }

    private UpdateHandler handler(BotConfig bot, BotApi api, Intake intake) {
        return new UpdateHandler(bot, api, intake, services, buttons(bot));
    }

    private Buttons buttons(BotConfig bot) {
        return new Buttons(bot.name(), () -> services.secrets().get(bot.token()));
    }

    private BotApi api(BotConfig bot) {
        return new BotApi(
                bot.apiUrl(),
                () -> services.secrets().get(bot.token()),
                backoff.computeIfAbsent(bot.name(), _ -> new ChatBackoff(InstantSource.system())));
    }
}
