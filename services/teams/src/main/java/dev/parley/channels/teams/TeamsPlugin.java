package dev.parley.channels.teams;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.BotKind.Form;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.ConfiguredBot;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.Finding;
import dev.parley.channels.contract.InboundHttp;
import dev.parley.channels.contract.SendFailure.Kind;
import dev.parley.platform.clock.SteadyClock;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Microsoft Teams. */
public final class TeamsPlugin implements ChannelPlugin {
    static final String KIND = "teams";

    /** The id of the app of the Azure bot. */
    static final String APP_ID = "appId";

    /** The id of the tenant of the app, the only one whose people can talk to the bot. */
    static final String TENANT = "tenant";

    private static final String GUID = "\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}";

    /** The settings of its bots. Azure brings the activities of an app to one address, so to one bot. */
    static final BotKind BOTS = new BotKind(
            KIND,
            "Microsoft Teams",
            TeamsCloud.PUBLIC,
            new Form("[!-~]{8,250}", "is the value of a client secret of the app, not its id"),
            Map.of(),
            Map.of(
                    APP_ID,
                    new Form(GUID, "is the Microsoft App ID of the Azure bot, with 32 hexadecimal digits"),
                    TENANT,
                    new Form(GUID, "is the id of the app's tenant, with 32 hexadecimal digits")),
            new Form(
                    GUID + "|29:[!-~]{1,123}",
                    "contains object ids of users in Entra ID, such as \"6fa459ea-ee8a-3ca4-894e-db77e160355e\""),
            null);

    private final Map<String, Conversations.Cache> known = new ConcurrentHashMap<>();

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
        return Optional.of(Conversation.chat(user));
    }

    @Override
    public boolean showsForms() {
        return true;
    }

    @Override
    public Connection connect(ChannelBot bot) {
        TeamsApi api = api(bot);
        return new TeamsBot(bot, api, handler(bot, api));
    }

    @Override
    public Optional<InboundHttp> inbound() {
        return Optional.of(new InboundActivities(bot -> {
            TeamsApi api = api(bot);
            return new InboundActivities.Parts(tokens(bot, api), handler(bot, api));
        }));
    }

    @Override
    public List<Finding> check(ConfiguredBot bot) throws InterruptedException {
        return TeamsCheck.of(bot);
    }

    private TeamsEventHandler handler(ChannelBot bot, TeamsApi api) {
        var cache = known.computeIfAbsent(bot.name(), _ -> new Conversations.Cache());
        return new TeamsEventHandler(bot, api, new TeamsEvents(bot.name(), setting(bot, APP_ID)), cache);
    }

    static TeamsApi api(ConfiguredBot bot) {
        return new TeamsApi(TeamsCloud.of(bot.api()), setting(bot, APP_ID), setting(bot, TENANT), bot::token);
    }

    private static ActivityTokens tokens(ConfiguredBot bot, TeamsApi api) {
        TeamsCloud cloud = api.cloud();
        return new ActivityTokens(
                cloud,
                setting(bot, APP_ID),
                setting(bot, TENANT),
                new SigningKeys(() -> keys(api), SteadyClock.OF_PROCESS),
                new SigningKeys(() -> api.document(cloud.entraKeys()), SteadyClock.OF_PROCESS),
                Clock.systemUTC());
    }

    /** The keys that the metadata names, which are where the metadata is. */
    static JsonNode keys(TeamsApi api) throws TeamsApiException, InterruptedException {
        URI metadata = api.cloud().metadata();
        String keys = api.document(metadata).path("jwks_uri").asText("");
        try {
            URI found = URI.create(keys);
            if (Objects.equals(found.getScheme(), metadata.getScheme())
                    && Objects.equals(found.getAuthority(), metadata.getAuthority())) {
                return api.document(found);
            }
        } catch (IllegalArgumentException e) {
            // told below
        }
        throw TeamsApiException.of(Kind.LATER, "the metadata names keys of another host", null);
    }

    private static String setting(ConfiguredBot bot, String name) {
        return bot.settings().getOrDefault(name, "").toLowerCase(Locale.ROOT);
    }
}
