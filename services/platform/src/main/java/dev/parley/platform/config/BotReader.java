package dev.parley.platform.config;

import static java.util.Objects.requireNonNullElse;

import dev.parley.channels.contract.Groups;
import dev.parley.domain.RecordKey;
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
            String path = "telegram[" + i + "]";
            add(path, telegram(path, telegrams.get(i), i == 0), bots);
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
            String path = key + "[" + i + "]";
            add(path, reader.apply(path, sections.get(i)), into);
        }
    }

    private static void add(String path, BotConfig bot, List<BotConfig> bots) {
        if (!NAME.matcher(bot.name()).matches()) {
            throw new ConfigException(
                    path + ".name", "a bot's name is lower case letters, digits, _ and -, not '" + bot.name() + "'");
        }
        if (bots.stream().anyMatch(other -> other.name().equals(bot.name()))) {
            throw new ConfigException(path + ".name", "there are two bots called '" + bot.name() + "'");
        }
        bots.add(bot);
    }

    /** The kind is not looked up: only processes with the role channels load plug-ins. */
    private static BotConfig ofPlugin(String path, @Nullable PluginBotSection section) {
        if (section == null) {
            throw new ConfigException(path, "is a bot: kind, name and so on");
        }
        String kind = pluginKind(path + ".kind", section.kind());
        Map<String, String> settings = settings(path + ".settings", section.settings());
        Map<String, String> secrets = new HashMap<>(settings);
        secrets.values().removeIf(value -> !Secrets.REFERENCE.matcher(value).matches());
        String name = requireText(path + ".name", section.name(), "the word that its sessions begin with");
        String token = section.token() == null ? "" : ProviderReader.reference(path + ".token", section.token());
        BotConfig bot =
                bot(path, kind, name, token, URI.create("plugin:" + kind), nonNull(section.allowedUsers()), section);
        return bot.withGroups(section.groups() == null ? Groups.OFF : bot.groups())
                .withStreams(Boolean.TRUE.equals(section.stream()))
                .withSecrets(secrets)
                .withSettings(settings);
    }

    private static String pluginKind(String path, @Nullable String value) {
        String kind = requireText(path, value, "the kind of channel, as its plug-in calls it");
        String section = SECTIONS.get(kind);
        if (section != null) {
            throw new ConfigException(
                    path, "is for channels of plug-ins: " + kind + " has the section '" + section + "'");
        }
        if (!KIND.matcher(kind).matches()) {
            throw new ConfigException(path, "is lower case letters, digits, _ and -, not '" + kind + "'");
        }
        return kind;
    }

    /** A bot with the common fields of its section; answers are streamed unless {@code stream} is false. */
    private static BotConfig bot(
            String path,
            String kind,
            String name,
            String token,
            URI apiUrl,
            Set<String> allowedUsers,
            BotSection section) {
        return BotConfigBuilder.builder()
                .name(name)
                .kind(kind)
                .token(token)
                .apiUrl(apiUrl)
                .project(project(path, section.project()))
                .agent(section.agent())
                .allowedUsers(allowedUsers)
                .allowAll(Boolean.TRUE.equals(section.allowAll()))
                .pairing(Boolean.TRUE.equals(section.pairing()))
                .groups(groups(path, section.groups()))
                .webhookFrom(List.of())
                .streams(!Boolean.FALSE.equals(section.stream()))
                .secrets(Map.of())
                .build();
    }

    private static BotConfig withoutGroups(BotConfig bot, BotSection section) {
        return bot.withGroups(Groups.OFF).withStreams(Boolean.TRUE.equals(section.stream()));
    }

    private static Map<String, String> settings(String path, @Nullable Map<String, @Nullable String> configured) {
        var settings = new HashMap<String, String>();
        (configured == null ? Map.<String, @Nullable String>of() : configured).forEach((name, value) -> {
            if (value == null) {
                throw new ConfigException(path + "." + name, "is a text, a number, true or false");
            }
            settings.put(name, value);
        });
        if (settings.size() > MAX_SETTINGS) {
            throw new ConfigException(path, "has at most " + MAX_SETTINGS + " settings");
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

    private static BotConfig webhook(String path, WebhookSection section) {
        String name = requireText(path + ".name", section.name(), "the word that its path and its sessions have");
        String secret = requireText(path + ".secret", section.secret(), "a reference to what signs, " + Secrets.FORMS);
        URI url = replyUrl(path + ".url", requireText(path + ".url", section.url(), "where replies go"));
        String token = ProviderReader.reference(path + ".secret", secret);
        return withoutGroups(bot(path, "webhook", name, token, url, nonNull(section.allowedUsers()), section), section);
    }

    private static BotConfig slack(String path, SlackSection section) {
        Map<String, String> secrets = slackSecrets(path, section);
        return bot(
                        path,
                        "slack",
                        requireNonNullElse(section.name(), "slack"),
                        token(path + ".token", section.token()),
                        url(path + ".apiUrl", requireNonNullElse(section.apiUrl(), SLACK_API)),
                        ids(path, section.allowedUsers(), "[UW][A-Z0-9]{1,31}", "Slack's members, such as U012AB3CD"),
                        section)
                .withSecrets(secrets);
    }

    private static Map<String, String> slackSecrets(String path, SlackSection section) {
        var secrets = new HashMap<String, String>();
        if (section.appToken() != null) {
            secrets.put("appToken", ProviderReader.reference(path + ".appToken", section.appToken()));
        }
        if (section.signingSecret() != null) {
            secrets.put("signingSecret", ProviderReader.reference(path + ".signingSecret", section.signingSecret()));
        }
        if (secrets.isEmpty()) {
            throw new ConfigException(
                    path + ".appToken",
                    "is needed, or signingSecret: a reference to an app-level token for Socket Mode, or to what Slack"
                            + " signs with");
        }
        return secrets;
    }

    private static String token(String path, @Nullable String token) {
        return ProviderReader.reference(
                path, requireText(path, token, "a reference to the bot's token, " + Secrets.FORMS));
    }

    private static Set<String> ids(String path, @Nullable List<@Nullable String> listed, String pattern, String users) {
        var ids = new HashSet<String>();
        for (@Nullable String id : listed == null ? List.<@Nullable String>of() : listed) {
            if (id == null || !id.matches(pattern)) {
                throw new ConfigException(path + ".allowedUsers", "has ids of " + users + ", not '" + id + "'");
            }
            ids.add(id);
        }
        return ids;
    }

    private static String project(String path, @Nullable String key) {
        try {
            return key == null ? RecordKey.DEFAULT_PROJECT : new RecordKey(key, "any").project();
        } catch (IllegalArgumentException e) {
            throw new ConfigException(path + ".project", "has the key of a project: " + e.getMessage());
        }
    }

    private static String requireText(String path, @Nullable String value, String description) {
        if (value == null || value.isBlank()) {
            throw new ConfigException(path, "is needed: " + description);
        }
        return value;
    }

    /** Unlike the URL of an API, it keeps slashes at its end. */
    private static URI replyUrl(String path, String text) {
        if (url(path, text).getRawUserInfo() != null) {
            throw new ConfigException(
                    path, "has no user and no password: requests are authenticated by their signature");
        }
        return URI.create(text);
    }

    /** @param first whether variables of the environment apply to it */
    private BotConfig telegram(String path, TelegramSection section, boolean first) {
        String token = section.token() == null && first && isSet(TOKEN) ? "env:" + TOKEN : section.token();
        String secret =
                section.webhookSecret() == null && first && isSet(SECRET) ? "env:" + SECRET : section.webhookSecret();
        String webhook = setting("TELEGRAM_WEBHOOK_URL", section.webhook(), first);
        String api = setting("TELEGRAM_API_URL", section.apiUrl(), first);
        return bot(
                        path,
                        "telegram",
                        requireNonNullElse(section.name(), "telegram"),
                        token(path + ".token", token),
                        url(path + ".apiUrl", requireNonNullElse(api, API)),
                        users(section, first),
                        section)
                .withWebhook(webhook == null ? null : url(path + ".webhook", webhook))
                .withWebhookSecret(secret == null ? null : ProviderReader.reference(path + ".webhookSecret", secret))
                .withWebhookFrom(networks(path + ".webhookFrom", section.webhookFrom()));
    }

    private static BotConfig discord(String path, DiscordSection section) {
        return bot(
                path,
                "discord",
                requireNonNullElse(section.name(), "discord"),
                token(path + ".token", section.token()),
                url(path + ".apiUrl", requireNonNullElse(section.apiUrl(), DISCORD_API)),
                ids(path, section.allowedUsers(), "[0-9]{15,20}", "Discord's users, numbers of 15 digits or more"),
                section);
    }

    private static List<Network> networks(String path, @Nullable List<String> ranges) {
        var networks = new ArrayList<Network>();
        for (String network : ranges == null ? List.<String>of() : ranges) {
            try {
                networks.add(Network.of(String.valueOf(network)));
            } catch (IllegalArgumentException e) {
                throw new ConfigException(path, "has networks like 149.154.160.0/20, not '" + network + "'");
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

    private static Groups groups(String path, @Nullable String name) {
        if (name == null) {
            return Groups.MENTION;
        }
        return Arrays.stream(Groups.values())
                .filter(rule -> rule.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> new ConfigException(path + ".groups", "is off, mention or all"));
    }

    private boolean isSet(String variable) {
        String value = environment.get(variable);
        return value != null && !value.isBlank();
    }

    private @Nullable String setting(String variable, @Nullable String fromFile, boolean first) {
        return first && isSet(variable) ? environment.get(variable) : fromFile;
    }

    private static URI url(String path, String text) {
        URI url = WebAddress.parseOrNull(text.replaceAll("/+$", ""));
        if (url == null || url.getHost() == null || !List.of("http", "https").contains(url.getScheme())) {
            throw new ConfigException(path, "is a URL, http://… or https://…, not '" + text + "'");
        }
        return url;
    }
}
