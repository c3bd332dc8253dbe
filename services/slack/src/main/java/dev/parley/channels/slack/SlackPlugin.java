package dev.parley.channels.slack;

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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import okio.ByteString;

/** Slack. */
public final class SlackPlugin implements ChannelPlugin {
    static final String KIND = "slack";

    /** The secret that opens Socket Mode connections. */
    static final String APP_TOKEN = "appToken";

    /** The secret with which Slack signs HTTP requests. */
    static final String SIGNING_SECRET = "signingSecret";

    /**
     * The settings of its bots. Slack distributes the events of a bot among its connections, so two bots with one token
     * would get half of them each.
     */
    static final BotKind BOTS = new BotKind(
            KIND,
            "Slack",
            URI.create("https://slack.com/api"),
            new Form("xoxb-[\\w-]{10,250}", "is the bot token of an installed app, which begins with xoxb-"),
            Map.of(
                    APP_TOKEN,
                    new Form("xapp-[\\w-]{10,250}", "is an app-level token, which begins with xapp-"),
                    SIGNING_SECRET,
                    new Form("[A-Za-z0-9]{16,64}", "is the signing secret of an app: letters and digits")),
            Map.of(
                    SlackSettings.AGENT_VIEW,
                    new Form("(?:true|false)?", "is true or false"),
                    SlackSettings.PROMPTS,
                    new Form(
                            "\\s*+(?:\\S[^\\n]{0,2099}+(?:\\n\\s*+|$)){0,4}+",
                            "has at most four lines: a message of at most 2,000 characters, or 'title | message'")),
            new Form("[UW][A-Z0-9]{1,31}", "contains ids of Slack members, such as \"U012AB3CD\", not names"),
            token -> ByteString.encodeUtf8(token).sha256().hex());

    private final Map<String, SlackPeople.Cache> people = new ConcurrentHashMap<>();
    private final LongSupplier clock;

    public SlackPlugin() {
        this(System::nanoTime);
    }

    /** @param clock in nanoseconds, from any origin */
    SlackPlugin(LongSupplier clock) {
        this.clock = clock;
    }

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
    public boolean showsForms() {
        return true;
    }

    /** With an app-level token the bot uses Socket Mode; otherwise Slack sends events over HTTP. */
    @Override
    public Connection connect(ChannelBot bot) {
        SlackApi api = api(bot);
        SlackPeople known = people(bot, api);
        var handler = new SlackEventHandler(bot, api, known);
        SocketMode socket = bot.reference(APP_TOKEN).isEmpty()
                ? null
                : new SocketMode(bot.name(), api, () -> bot.secret(APP_TOKEN), handler::handle);
        return new SlackBot(bot, api, known, handler, socket, clock);
    }

    @Override
    public Optional<InboundHttp> inbound() {
        return Optional.of(new InboundEvents(bot -> {
            SlackApi api = api(bot);
            return new SlackEventHandler(bot, api, people(bot, api));
        }));
    }

    @Override
    public List<Finding> check(ConfiguredBot bot) throws InterruptedException {
        return SlackCheck.of(bot);
    }

    private SlackPeople people(ConfiguredBot bot, SlackApi api) {
        return new SlackPeople(api, people.computeIfAbsent(bot.name(), _ -> new SlackPeople.Cache()));
    }

    private static SlackApi api(ConfiguredBot bot) {
        return new SlackApi(bot.api(), bot::token);
    }
}
