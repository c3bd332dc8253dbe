package dev.parley.platform.config;

import dev.parley.domain.RecordKey;
import dev.parley.platform.config.BotConfig.Groups;
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
    private static final String SLACK_API = "https://slack.com/api";
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
    private static final Pattern KIND = Pattern.compile("[a-z][a-z0-9_-]{0,30}");
    /** Kinds of Parley's own, and the sections in which they are set. */
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
            add(at, bot(at, telegrams.get(i), i == 0), bots);
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

    /** Which kinds there are is known when plug-ins are loaded; not every process has them. */
    private static BotConfig ofPlugin(String at, @Nullable PluginBotSection section) {
        if (section == null) {
            throw new ConfigException(at, "is a bot: kind, name and so on");
        }
        String kind = needed(at + ".kind", section.kind(), "the kind of channel, as its plug-in calls it");
        String own = SECTIONS.get(kind);
        if (own != null || !KIND.matcher(kind).matches()) {
            throw new ConfigException(
                    at + ".kind",
                    own == null
                            ? "is lower case letters, digits, _ and -, not '" + kind + "'"
                            : "is for channels of plug-ins: " + kind + " has the section '" + own + "'");
        }
        Map<String, String> settings = settings(at + ".settings", section.settings());
        Map<String, String> secrets = new HashMap<>(settings);
        secrets.values().removeIf(value -> !Secrets.REFERENCE.matcher(value).matches());
        return new BotConfig(
                needed(at + ".name", section.name(), "the word that its sessions begin with"),
                kind,
                section.token() == null ? "" : ProviderReader.reference(at + ".token", section.token()),
                URI.create("plugin:" + kind),
                project(at, section.project()),
                section.agent(),
                known(section.allowedUsers()),
                Boolean.TRUE.equals(section.allowAll()),
                false,
                Groups.OFF,
                null,
                null,
                List.of(),
                Boolean.TRUE.equals(section.stream()),
                secrets,
                settings);
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

    private static Set<String> known(@Nullable List<? extends @Nullable String> users) {
        var known = new HashSet<String>();
        for (@Nullable String user : users == null ? List.<@Nullable String>of() : users) {
            if (user != null) {
                known.add(user);
            }
        }
        return known;
    }

    private static BotConfig webhook(String at, WebhookSection section) {
        return new BotConfig(
                needed(at + ".name", section.name(), "the word that its path and its sessions have"),
                "webhook",
                ProviderReader.reference(
                        at + ".secret",
                        needed(at + ".secret", section.secret(), "a reference to what signs, " + Secrets.FORMS)),
                replies(at + ".url", needed(at + ".url", section.url(), "where replies go")),
                project(at, section.project()),
                section.agent(),
                known(section.allowedUsers()),
                Boolean.TRUE.equals(section.allowAll()),
                false,
                Groups.OFF,
                null,
                null,
                List.of(),
                Boolean.TRUE.equals(section.stream()),
                Map.of(),
                null);
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
        return new BotConfig(
                section.name() == null ? "slack" : section.name(),
                "slack",
                ProviderReader.reference(
                        at + ".token",
                        needed(at + ".token", section.token(), "a reference to the bot's token, " + Secrets.FORMS)),
                url(at + ".apiUrl", section.apiUrl() == null ? SLACK_API : section.apiUrl()),
                project(at, section.project()),
                section.agent(),
                ids(at, section.allowedUsers(), "[UW][A-Z0-9]{1,31}", "Slack's members, such as U012AB3CD"),
                Boolean.TRUE.equals(section.allowAll()),
                Boolean.TRUE.equals(section.pairing()),
                groups(at, section.groups()),
                null,
                null,
                List.of(),
                !Boolean.FALSE.equals(section.stream()),
                secrets,
                null);
    }

    private static Set<String> ids(String at, @Nullable List<@Nullable String> listed, String pattern, String what) {
        var ids = new HashSet<String>();
        for (@Nullable String one : listed == null ? List.<@Nullable String>of() : listed) {
            if (one == null || !one.matches(pattern)) {
                throw new ConfigException(at + ".allowedUsers", "has ids of " + what + ", not '" + one + "'");
            }
            ids.add(one);
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

    private static String needed(String at, @Nullable String value, String what) {
        if (value == null || value.isBlank()) {
            throw new ConfigException(at, "is needed: " + what);
        }
        return value;
    }

    /** Unlike an API's, its path is whole, to its last slash. */
    private static URI replies(String at, String text) {
        if (url(at, text).getRawUserInfo() != null) {
            throw new ConfigException(at, "has no user and no password: what proves who asks is the signature");
        }
        return URI.create(text);
    }

    private BotConfig bot(String at, TelegramSection section, boolean first) {
        String name = section.name() == null ? "telegram" : section.name();
        String token = section.token() == null && first && isSet(TOKEN) ? "env:" + TOKEN : section.token();
        if (token == null) {
            throw new ConfigException(at + ".token", "is needed: a reference to the bot's token, " + Secrets.FORMS);
        }
        String secret =
                section.webhookSecret() == null && first && isSet(SECRET) ? "env:" + SECRET : section.webhookSecret();
        String webhook = setting("TELEGRAM_WEBHOOK_URL", section.webhook(), first);
        String api = setting("TELEGRAM_API_URL", section.apiUrl(), first);
        return new BotConfig(
                name,
                "telegram",
                ProviderReader.reference(at + ".token", token),
                url(at + ".apiUrl", api == null ? API : api),
                project(at, section.project()),
                section.agent(),
                users(section, first),
                Boolean.TRUE.equals(section.allowAll()),
                Boolean.TRUE.equals(section.pairing()),
                groups(at, section.groups()),
                webhook == null ? null : url(at + ".webhook", webhook),
                secret == null ? null : ProviderReader.reference(at + ".webhookSecret", secret),
                networks(at + ".webhookFrom", section.webhookFrom()),
                !Boolean.FALSE.equals(section.stream()),
                Map.of(),
                null);
    }

    private static BotConfig discord(String at, DiscordSection section) {
        return new BotConfig(
                section.name() == null ? "discord" : section.name(),
                "discord",
                ProviderReader.reference(
                        at + ".token",
                        needed(at + ".token", section.token(), "a reference to the bot's token, " + Secrets.FORMS)),
                url(at + ".apiUrl", section.apiUrl() == null ? "https://discord.com" : section.apiUrl()),
                project(at, section.project()),
                section.agent(),
                ids(at, section.allowedUsers(), "[0-9]{15,20}", "Discord's users, numbers of 15 digits or more"),
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

    private static List<Network> networks(String at, @Nullable List<String> written) {
        var networks = new ArrayList<Network>();
        for (String one : written == null ? List.<String>of() : written) {
            try {
                networks.add(Network.of(String.valueOf(one)));
            } catch (IllegalArgumentException e) {
                throw new ConfigException(at, "has networks like 149.154.160.0/20, not '" + one + "'");
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
