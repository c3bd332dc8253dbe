package dev.parley.channels.slack;

import dev.parley.channels.chat.ChatServices;
import dev.parley.channels.chat.HandlerCache;
import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.BotKind.Form;
import dev.parley.channels.contract.Channel;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.Intake;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.ParleyConfig;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import okio.ByteString;

@Singleton
@Requires(property = "parley.role.channels", value = "true", beans = ParleyConfig.class)
public final class SlackChannel implements Channel {
    /** The kind in sessions and settings. */
    public static final String KIND = "slack";

    /** The secret that opens Socket Mode connections. */
    static final String APP_TOKEN = "appToken";

    /** The secret with which Slack signs HTTP requests. */
    static final String SIGNING_SECRET = "signingSecret";

    /**
     * The settings of its bots. Slack distributes the events of a bot among its connections, so two bots with one token
     * would get half of them each.
     */
    public static final BotKind BOTS = new BotKind(
            KIND,
            "Slack",
            URI.create("https://slack.com/api"),
            new Form("xoxb-[\\w-]{10,250}", "is the bot token of an installed app, which begins with xoxb-"),
            Map.of(
                    APP_TOKEN,
                    new Form("xapp-[\\w-]{10,250}", "is an app-level token, which begins with xapp-"),
                    SIGNING_SECRET,
                    new Form("[A-Za-z0-9]{16,64}", "is the signing secret of an app: letters and digits")),
            new Form("[UW][A-Z0-9]{1,31}", "contains ids of Slack members, such as \"U012AB3CD\", not names"),
            token -> ByteString.encodeUtf8(token).sha256().hex());

    private final ChatServices services;
    private final HandlerCache<SlackEventHandler> handlers = new HandlerCache<>();
    private final Map<String, SlackPeople.Cache> people = new ConcurrentHashMap<>();

    public SlackChannel(ChatServices services) {
        this.services = services;
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

    /** With an app-level token the bot uses Socket Mode; otherwise Slack sends events over HTTP. */
    @Override
    public Connection connect(BotConfig bot, Intake intake) {
        SlackApi api = api(bot);
        SlackPeople people = people(bot, api);
        SlackEventHandler handler = handler(bot, api, people, intake);
        String app = bot.secrets().get(APP_TOKEN);
        SocketMode socket = app == null
                ? null
                : new SocketMode(bot.name(), api, () -> services.secrets().get(app), handler::handle);
        return new SlackBot(bot, api, people, handler, services.buttons(bot), socket);
    }

    /** The handler of events that Slack sends to this instance. */
    SlackEventHandler handler(BotConfig bot, Intake intake) {
        return handlers.get(bot, () -> {
            SlackApi api = api(bot);
            return handler(bot, api, people(bot, api), intake);
        });
    }

    private SlackEventHandler handler(BotConfig bot, SlackApi api, SlackPeople cached, Intake intake) {
        return new SlackEventHandler(bot, api, cached, intake, services);
    }

    /** The signing secret, where the bot has one. */
    Optional<String> signingSecret(BotConfig bot) {
        return Optional.ofNullable(bot.secrets().get(SIGNING_SECRET))
                .map(reference -> services.secrets().get(reference));
    }

    private SlackPeople people(BotConfig bot, SlackApi api) {
        return new SlackPeople(api, people.computeIfAbsent(bot.name(), _ -> new SlackPeople.Cache()));
    }

    private SlackApi api(BotConfig bot) {
        return new SlackApi(bot.apiUrl(), services.token(bot));
    }
}
