package dev.parley.channels.slack;

import dev.parley.channels.chat.Buttons;
import dev.parley.channels.chat.ChatServices;
import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.BotKind.Form;
import dev.parley.channels.contract.Channel;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.Intake;
import dev.parley.platform.config.BotConfig;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import okio.ByteString;

/** Slack. */
public final class SlackChannel implements Channel {
    /** Its name in sessions and in settings. */
    public static final String KIND = "slack";

    /** The secret by which a bot opens WebSockets. */
    static final String APP_TOKEN = "appToken";

    /** The secret by which Slack signs what it brings over HTTP. */
    static final String SIGNING_SECRET = "signingSecret";

    /** What its bots have. Slack divides the events of a bot among all who connect as it: two with one token would have half of them each. */
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
            new Form("[UW][A-Z0-9]{1,31}", "has ids of Slack's members, such as \"U012AB3CD\", no names"),
            token -> ByteString.encodeUtf8(token).sha256().hex(),
            SlackCheck::of);

    private final ChatServices services;
    private final Map<String, Desk> desks = new ConcurrentHashMap<>();
    private final Map<String, SlackPeople.Remembered> people = new ConcurrentHashMap<>();

    /** Where events of a bot are taken in, as long as its settings are these. */
    private record Desk(BotConfig bot, SlackEventHandler handler) {}

    public SlackChannel(ChatServices services) {
        this.services = services;
    }

    @Override
    public String kind() {
        return KIND;
    }

    /** A private chat is called as the person is. */
    @Override
    public Optional<String> privateChat(String user) {
        return Optional.of(user);
    }

    /** With an app-level token the bot fetches its events; without one they are brought. */
    @Override
    public Connection connect(BotConfig bot, Intake intake) {
        SlackApi api = api(bot);
        SlackPeople known = people(bot, api);
        SlackEventHandler handler = new SlackEventHandler(bot, api, known, intake, services, buttons(bot));
        String app = bot.secrets().get(APP_TOKEN);
        SocketMode socket = app == null
                ? null
                : new SocketMode(bot.name(), api, () -> services.secrets().get(app), handler::take);
        return new SlackBot(bot, api, known, handler, buttons(bot), socket);
    }

    /** Where events are taken in that are brought to this instance. */
    SlackEventHandler handler(BotConfig bot, Intake intake) {
        Desk desk = desks.compute(
                bot.name(),
                (_, before) ->
                        before != null && before.bot().equals(bot) ? before : new Desk(bot, brought(bot, intake)));
        return desk.handler();
    }

    private SlackEventHandler brought(BotConfig bot, Intake intake) {
        SlackApi api = api(bot);
        return new SlackEventHandler(bot, api, people(bot, api), intake, services, buttons(bot));
    }

    /** The secret that signs what is brought, where the bot has one. */
    Optional<String> signingSecret(BotConfig bot) {
        return Optional.ofNullable(bot.secrets().get(SIGNING_SECRET))
                .map(reference -> services.secrets().get(reference));
    }

    private SlackPeople people(BotConfig bot, SlackApi api) {
        return new SlackPeople(api, people.computeIfAbsent(bot.name(), _ -> new SlackPeople.Remembered()));
    }

    private Buttons buttons(BotConfig bot) {
        return new Buttons(bot.name(), () -> services.secrets().get(bot.token()));
    }

    private SlackApi api(BotConfig bot) {
        return new SlackApi(bot.apiUrl(), () -> services.secrets().get(bot.token()));
    }
}
