package dev.parley.platform.config;

import static java.util.Objects.requireNonNullElse;

import dev.parley.domain.RecordKey;
import dev.parley.platform.config.BotConfig.Groups;
import dev.parley.platform.config.ConfigFile.BotSection;
import dev.parley.platform.config.ConfigFile.DiscordSection;
import dev.parley.platform.config.ConfigFile.PluginBotSection;
import dev.parley.platform.config.ConfigFile.SlackSection;
import dev.parley.platform.config.ConfigFile.TelegramSection;
import dev.parley.platform.config.ConfigFile.WebhookSection;
import dev.parley.platform.http.Network;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the bots of {@code parley.yml}. A bot whose token is in {@code TELEGRAM_BOT_TOKEN} needs no file. */
final class BotReader {
    private static final String TOKEN = "TELEGRAM_BOT_TOKEN";
    private static final String SECRET = "TELEGRAM_WEBHOOK_SECRET";
    private static final String API = "https://api.telegram.org";
    private static final String DISCORD_API = "https://discord.com";
    private static final String SLACK_API = "https://slack.com/api";
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
    private static final Pattern KIND = Pattern.compile("[a-z][a-z0-9_-]{0,30}");
    /** Built-in kinds and their sections. */
    private static final Map<String, String> SECTIONS =
            Map.of("discord", "discord", "slack", "slack", "telegram", "telegram", "webhook", "webhooks");

    private static final int MAX_SETTINGS = 100;

    private final Map<String, String> environment;

    BotReader(Map<String, String> environment) {
        this.environment = environment;
    }

    List<BotConfig> bots(
            @Nullable List<TelegramSection> sections,
            @Nullable List<SlackSection> slack,
            @Nullable List<WebhookSection> webhooks,
            @Nullable List<DiscordSection> discord,
            @Nullable List<@Nullable PluginBotSection> ofPlugins) {
        List<TelegramSection> telegrams = sections == null ? List.of() : sections;
        if (telegrams.isEmpty() && isSet(TOKEN)) {
            telegrams = List.of(TelegramSection.EMPTY);
        }
        var bots = new ArrayList<BotConfig>();
        for (int i = 0; i < telegrams.size(); i++) {
            String at = "telegram[" + i + "]";
            add(at, telegram(at, telegrams.get(i), i == 0), bots);
        }
        each("slack", slack, BotReader::slack, bots);
        each("webhooks", webhooks, BotReader::webhook, bots);
        each("discord", discord, BotReader::discord, bots);
        each("bots", ofPlugins, BotReader::ofPlugin, bots);
        return bots;
    }

    private static <S extends @Nullable Object> void each(
            String key, @Nullable List<S> sections, BiFunction<String, S, BotConfig> reader, List<BotConfig> into) {
        for (int i = 0; sections != null && i < sections.size(); i++) {
            String at = key + "[" + i + "]";
            add(at, reader.apply(at, sections.get(i)), into);
        }
    }

    private static void add(String at, BotConfig bot, List<BotConfig> bots) {
        if (!NAME.matcher(bot.name()).matches()) {
            throw new ConfigException(
                    at + ".name", "a bot's name is lower case letters, digits, _ and -, not '" + bot.name() + "'");
        }
        if (bots.stream().anyMatch(other -> other.name().equals(bot.name()))) {
            throw new ConfigException(at + ".name", "there are two bots called '" + bot.name() + "'");
        }
        bots.add(bot);
    }

    /** The kind is not looked up: only processes with the role channels load plug-ins. */
    private static BotConfig ofPlugin(String at, @Nullable PluginBotSection section) {
        if (section == null) {
            throw new ConfigException(at, "is a bot: kind, name and so on");
        }
        String kind = pluginKind(at + ".kind", section.kind());
        Map<String, String> settings = settings(at + ".settings", section.settings());
        Map<String, String> secrets = new HashMap<>(settings);
        secrets.values().removeIf(value -> !Secrets.REFERENCE.matcher(value).matches());
        String name = required(at + ".name", section.name(), "the word that its sessions begin with");
        String token = section.token() == null ? "" : ProviderReader.reference(at + ".token", section.token());
        BotConfig bot =
                bot(at, kind, name, token, URI.create("plugin:" + kind), nonNull(section.allowedUsers()), section);
        return withoutGroups(bot, section).withSecrets(secrets).withSettings(settings);
    }

    private static String pluginKind(String at, @Nullable String written) {
        String kind = required(at, written, "the kind of channel, as its plug-in calls it");
        String own = SECTIONS.get(kind);
        if (own != null) {
            throw new ConfigException(at, "is for channels of plug-ins: " + kind + " has the section '" + own + "'");
        }
        if (!KIND.matcher(kind).matches()) {
            throw new ConfigException(at, "is lower case letters, digits, _ and -, not '" + kind + "'");
        }
        return kind;
    }

    /** A bot with the common fields of its section; answers are streamed unless {@code stream} is false. */
    private static BotConfig bot(
            String at,
            String kind,
            String name,
            String token,
            URI apiUrl,
            Set<String> allowedUsers,
            BotSection section) {
        return new BotConfig(
                name,
                kind,
                token,
                apiUrl,
                project(at, section.project()),
                section.agent(),
                allowedUsers,
                Boolean.TRUE.equals(section.allowAll()),
                Boolean.TRUE.equals(section.pairing()),
                groups(at, section.groups()),
                null,
                null,
                List.of(),
                !Boolean.FALSE.equals(section.stream()),
                Map.of(),
                null);
    }

    private static BotConfig withoutGroups(BotConfig bot, BotSection section) {
        return bot.withGroups(Groups.OFF).withStreams(Boolean.TRUE.equals(section.stream()));
    }

    private static Map<String, String> settings(String at, @Nullable Map<String, @Nullable String> written) {
        var settings = new HashMap<String, String>();
        (written == null ? Map.<String, @Nullable String>of() : written).forEach((name, value) -> {
            if (value == null) {
                throw new ConfigException(at + "." + name, "is a text, a number, true or false");
            }
            settings.put(name, value);
        });
        if (settings.size() > MAX_SETTINGS) {
            throw new ConfigException(at, "has at most " + MAX_SETTINGS + " settings");
        }
        return settings;
    }

    private static Set<String> nonNull(@Nullable List<? extends @Nullable String> users) {
        var ids = new HashSet<String>();
        for (@Nullable String user : users == null ? List.<@Nullable String>of() : users) {
            if (user != null) {
                ids.add(user);
            }
        }
        return ids;
    }

    private static BotConfig webhook(String at, WebhookSection section) {
        String name = required(at + ".name", section.name(), "the word that its path and its sessions have");
        String secret = required(at + ".secret", section.secret(), "a reference to what signs, " + Secrets.FORMS);
        URI url = replyUrl(at + ".url", required(at + ".url", section.url(), "where replies go"));
        String token = ProviderReader.reference(at + ".secret", secret);
        return withoutGroups(bot(at, "webhook", name, token, url, nonNull(section.allowedUsers()), section), section);
    }

    private static BotConfig slack(String at, SlackSection section) {
        var secrets = new HashMap<String, String>();
        if (section.appToken() != null) {
            secrets.put("appToken", ProviderReader.reference(at + ".appToken", section.appToken()));
        }
        if (section.signingSecret() != null) {
            secrets.put("signingSecret", ProviderReader.reference(at + ".signingSecret", section.signingSecret()));
        }
        if (secrets.isEmpty()) {
            throw new ConfigException(
                    at + ".appToken",
                    "is needed, or signingSecret: a reference to an app-level token for Socket Mode, or to what Slack"
                            + " signs with");
        }
        return bot(
                        at,
                        "slack",
                        requireNonNullElse(section.name(), "slack"),
                        token(at + ".token", section.token()),
                        url(at + ".apiUrl", requireNonNullElse(section.apiUrl(), SLACK_API)),
                        ids(at, section.allowedUsers(), "[UW][A-Z0-9]{1,31}", "Slack's members, such as U012AB3CD"),
                        section)
                .withSecrets(secrets);
    }

    private static String token(String at, @Nullable String token) {
        return ProviderReader.reference(at, required(at, token, "a reference to the bot's token, " + Secrets.FORMS));
    }

    private static Set<String> ids(String at, @Nullable List<@Nullable String> listed, String pattern, String users) {
        var ids = new HashSet<String>();
        for (@Nullable String id : listed == null ? List.<@Nullable String>of() : listed) {
            if (id == null || !id.matches(pattern)) {
                throw new ConfigException(at + ".allowedUsers", "has ids of " + users + ", not '" + id + "'");
            }
            ids.add(id);
        }
        return ids;
    }

    private static String project(String at, @Nullable String key) {
        try {
            return key == null ? RecordKey.DEFAULT_PROJECT : new RecordKey(key, "any").project();
        } catch (IllegalArgumentException e) {
            throw new ConfigException(at + ".project", "has the key of a project: " + e.getMessage());
        }
    }

    private static String required(String at, @Nullable String value, String what) {
        if (value == null || value.isBlank()) {
            throw new ConfigException(at, "is needed: " + what);
        }
        return value;
    }

    /** Unlike the URL of an API, it keeps slashes at its end. */
    private static URI replyUrl(String at, String text) {
        if (url(at, text).getRawUserInfo() != null) {
            throw new ConfigException(at, "has no user and no password: what proves who asks is the signature");
        }
        return URI.create(text);
    }

    /** @param first whether variables of the environment apply to it */
    private BotConfig telegram(String at, TelegramSection section, boolean first) {
        String token = section.token() == null && first && isSet(TOKEN) ? "env:" + TOKEN : section.token();
        String secret =
                section.webhookSecret() == null && first && isSet(SECRET) ? "env:" + SECRET : section.webhookSecret();
        String webhook = setting("TELEGRAM_WEBHOOK_URL", section.webhook(), first);
        String api = setting("TELEGRAM_API_URL", section.apiUrl(), first);
        return bot(
                        at,
                        "telegram",
                        requireNonNullElse(section.name(), "telegram"),
                        token(at + ".token", token),
                        url(at + ".apiUrl", requireNonNullElse(api, API)),
                        users(section, first),
                        section)
                .withWebhook(webhook == null ? null : url(at + ".webhook", webhook))
                .withWebhookSecret(secret == null ? null : ProviderReader.reference(at + ".webhookSecret", secret))
                .withWebhookFrom(networks(at + ".webhookFrom", section.webhookFrom()));
    }

    private static BotConfig discord(String at, DiscordSection section) {
        return bot(
                at,
                "discord",
                requireNonNullElse(section.name(), "discord"),
                token(at + ".token", section.token()),
                url(at + ".apiUrl", requireNonNullElse(section.apiUrl(), DISCORD_API)),
                ids(at, section.allowedUsers(), "[0-9]{15,20}", "Discord's users, numbers of 15 digits or more"),
                section);
    }

    private static List<Network> networks(String at, @Nullable List<String> written) {
        var networks = new ArrayList<Network>();
        for (String network : written == null ? List.<String>of() : written) {
            try {
                networks.add(Network.of(String.valueOf(network)));
            } catch (IllegalArgumentException e) {
                throw new ConfigException(at, "has networks like 149.154.160.0/20, not '" + network + "'");
            }
        }
        return networks;
    }

    private Set<String> users(TelegramSection section, boolean first) {
        String listed = first ? environment.get("TELEGRAM_ALLOWED_USERS") : null;
        if (listed != null && !listed.isBlank()) {
            var users = Arrays.stream(listed.split(",")).map(String::strip).collect(Collectors.toSet());
            if (!users.stream().allMatch(user -> user.matches("-?\\d{1,19}"))) {
                throw new ConfigException("TELEGRAM_ALLOWED_USERS", "has numbers, separated by commas: ids, not names");
            }
            return users;
        }
        List<Long> users = section.allowedUsers();
        return users == null ? Set.of() : users.stream().map(String::valueOf).collect(Collectors.toSet());
    }

    private static Groups groups(String at, @Nullable String name) {
        if (name == null) {
            return Groups.MENTION;
        }
        return Arrays.stream(Groups.values())
                .filter(rule -> rule.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> new ConfigException(at + ".groups", "is off, mention or all"));
    }

    private boolean isSet(String variable) {
        String value = environment.get(variable);
        return value != null && !value.isBlank();
    }

    private @Nullable String setting(String variable, @Nullable String fromFile, boolean first) {
        return first && isSet(variable) ? environment.get(variable) : fromFile;
    }

    private static URI url(String at, String text) {
        URI url = WebAddress.parsed(text.replaceAll("/+$", ""));
        if (url == null || url.getHost() == null || !List.of("http", "https").contains(url.getScheme())) {
            throw new ConfigException(at, "is a URL, http://… or https://…, not '" + text + "'");
        }
        return url;
    }
}
