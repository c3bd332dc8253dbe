package dev.parley.platform.config;

import dev.parley.domain.definition.Agent;
import dev.parley.platform.config.ConfigFile.HttpSection;
import dev.parley.platform.config.ConfigFile.KafkaSection;
import dev.parley.platform.config.ConfigFile.PostgresSection;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.embedding.Embedders;
import dev.parley.platform.embedding.MiniLm;
import dev.parley.platform.power.ProcessUser;
import dev.parley.platform.sealing.InstallationKey;
import dev.parley.platform.sealing.MasterKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Builds the configuration: the environment overrides the file, and the file overrides the defaults. */
public final class ConfigReader {
    /** The model without any settings. */
    private static final String SCRIPTED = "scripted/scripted";

    private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|s|m|h)");
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.\\d+){3}|::1");
    /** Default for up to eight processes of each role. */
    private static final int PARTITIONS = 8;

    /**
     * Default with the embedded broker: each partition makes commits more expensive, and one machine has few
     * processors.
     */
    private static final int PARTITIONS_EMBEDDED = 2;

    private static final int MIN_KEY = 16;

    /** Seconds after which a load balancer that polls every second or two has noticed. */
    private static final int DRAIN = 5;

    private final Map<String, String> environment;
    private final ConfigFile file;

    private ConfigReader(Map<String, String> environment, ConfigFile file) {
        this.environment = environment;
        this.file = file;
    }

    /**
     * Reads and validates all settings.
     *
     * @param environment variables, including those set by flags
     * @throws ConfigException naming the first invalid setting
     */
    public static ParleyConfig read(Map<String, String> environment) {
        String configured = environment.getOrDefault("PARLEY_CONFIG", "").strip();
        Path path = Path.of(configured.isEmpty() ? "parley.yml" : configured);
        return new ConfigReader(EnvironmentVariables.withoutKubernetes(environment), ConfigFile.read(path)).config();
    }

    private ParleyConfig config() {
        Path data = Path.of(text("PARLEY_DATA", file.data(), "data"))
                .toAbsolutePath()
                .normalize();
        ParleyConfig.Kafka kafka = kafka();
        int partitions = kafka == null ? PARTITIONS_EMBEDDED : PARTITIONS;
        var config = new ParleyConfig(
                data,
                Path.of(text("PARLEY_BLOBS", file.blobs(), data.resolve("blobs").toString())),
                number("PARLEY_PORT", file.port(), 8080, 0, 65_535),
                text("PARLEY_BIND", file.bind(), "127.0.0.1"),
                optional("PARLEY_URL", file.url()),
                ProcessRole.parse(text("PARLEY_ROLES", file.roles(), "all")),
                optional("PARLEY_ADMIN_KEY", null),
                keys("PARLEY_MASTER_KEY", file.masterKey(), MasterKeys::parse),
                keys("PARLEY_INSTALLATION_KEY", file.installationKey(), InstallationKey::parse),
                acceptsUnsigned(),
                kafka,
                postgres(),
                optional("PARLEY_REGISTRY", file.registry()),
                number("PARLEY_PARTITIONS", file.partitions(), partitions, 1, 1_024),
                (short) number("PARLEY_REPLICAS", file.replicas(), 1, 1, 9),
                text("PARLEY_INSTANCE", file.instance(), "parley-1"),
                Duration.ofSeconds(number("PARLEY_DRAIN", null, kafka == null ? 0 : DRAIN, 0, 300)),
                new ProviderReader(environment).providers(file.providers()),
                file.prices() == null ? List.of() : file.prices(),
                new BotReader(environment).bots(file),
                SignInReader.signIn(file.signIn()),
                MailReader.mail(file.mail()),
                new AgentSectionReader(
                                text("PARLEY_MODEL", file.model(), SCRIPTED),
                                text("PARLEY_TRANSCRIBER", file.transcriber(), ""))
                        .agents(file.agents()),
                PermissionReader.permissions(file.permissions()),
                ToolsReader.tools(file.tools(), file.plugins(), optional("PARLEY_PYTHON", null)),
                WorkflowsConfig.of(file.workflows()),
                JsonTopicsReader.topics(file.jsonTopics()),
                embedding(),
                http(),
                PowersReader.powers(
                        file.tools(),
                        file.workflows(),
                        Boolean.TRUE.equals(file.commandsAsRoot()) || !ProcessUser.isRoot()));
        check(config);
        return config;
    }

    private HttpConfig http() {
        HttpSection section = file.http();
        Integer hsts = section == null ? null : section.hsts();
        return HttpReader.http(
                section,
                optional("PARLEY_HOSTS", null),
                optional("PARLEY_TRUSTED_PROXIES", null),
                number("PARLEY_HSTS", hsts, HttpConfig.HSTS, 0, Integer.MAX_VALUE),
                optional("PARLEY_CORS_ORIGINS", null));
    }

    private String embedding() {
        String name = text("PARLEY_EMBEDDING", file.embedding(), MiniLm.SHARED.name());
        if (!Embedders.ALL.contains(name)) {
            throw new ConfigException(
                    "PARLEY_EMBEDDING",
                    "there is no model '" + name + "' for vectors; there are " + String.join(", ", Embedders.ALL));
        }
        return name;
    }

    /** Agents must fit their providers, and the agents of bots must be defined. */
    private static void checkAgents(ParleyConfig config) {
        for (Agent agent : config.agents()) {
            AgentCheck.faults(agent, config.providers()).stream().findFirst().ifPresent(fault -> {
                throw new ConfigException("agents", "the agent '%s' %s".formatted(agent.name(), fault.problem()));
            });
        }
        for (BotConfig bot : config.bots()) {
            boolean exists =
                    config.agents().stream().anyMatch(agent -> agent.name().equals(bot.agent()));
            if (bot.agent() != null && !exists) {
                throw new ConfigException(
                        bot.kind(),
                        "the bot '%s' uses the agent '%s', which does not exist".formatted(bot.name(), bot.agent()));
            }
        }
    }

    private static void check(ParleyConfig config) {
        checkUrl(config);
        boolean hasAllRoles = config.roles().size() == ProcessRole.values().length;
        if (!hasAllRoles && (config.embedsKafka() || config.embedsPostgres())) {
            throw new ConfigException(
                    "PARLEY_ROLES",
                    "a process with some of the roles needs PARLEY_KAFKA and PARLEY_POSTGRES, so that it can meet the"
                            + " others");
        }
        String key = config.adminKey();
        if (key != null && key.length() < MIN_KEY) {
            throw new ConfigException("PARLEY_ADMIN_KEY", "must have at least " + MIN_KEY + " characters");
        }
        checkAgents(config);
        if (key == null && !LOOPBACK.matcher(config.bind()).matches()) {
            throw new ConfigException(
                    "PARLEY_BIND", "'" + config.bind() + "' can be reached from outside: set PARLEY_ADMIN_KEY as well");
        }
    }

    /** Links in e-mails and redirects of sign-ins begin with the URL. */
    private static void checkUrl(ParleyConfig config) {
        String url = config.url();
        if (url != null
                && (config.mail() != null || !config.signIn().providers().isEmpty())) {
            WebAddress.base("PARLEY_URL", url);
        }
    }

    private <K> @Nullable K keys(String variable, @Nullable String inFile, Function<String, K> parse) {
        String text = optional(variable, inFile);
        try {
            return text == null ? null : parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    variable,
                    "%s; it is %d random bytes in base64, or several of them with commas between"
                            .formatted(e.getMessage(), MasterKeys.LENGTH));
        }
    }

    private ParleyConfig.@Nullable Kafka kafka() {
        KafkaSection section = file.kafka();
        String bootstrap = optional("PARLEY_KAFKA", section == null ? null : section.bootstrap());
        if (bootstrap == null) {
            return null;
        }
        var settings = new HashMap<String, String>(clientSettings());
        if (section != null && section.settings() != null) {
            settings.putAll(section.settings());
        }
        return new ParleyConfig.Kafka(bootstrap, settings);
    }

    /** The client settings in the file that a variable names, so that passwords need not stand in parley.yml. */
    private Map<String, String> clientSettings() {
        String file = optional("PARLEY_KAFKA_SETTINGS", null);
        if (file == null) {
            return Map.of();
        }
        var properties = new Properties();
        try (var reader = Files.newBufferedReader(Path.of(file))) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigException("PARLEY_KAFKA_SETTINGS", "cannot be read: " + e.getMessage());
        }
        return properties.stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, properties::getProperty));
    }

    private boolean acceptsUnsigned() {
        String text = text("PARLEY_UNSIGNED", file.unsigned(), "refuse");
        return switch (text) {
            case "accept" -> true;
            case "refuse" -> false;
            default -> throw new ConfigException("PARLEY_UNSIGNED", "is accept or refuse, not '" + text + "'");
        };
    }

    private ParleyConfig.@Nullable Postgres postgres() {
        PostgresSection section = file.postgres();
        String url = optional("PARLEY_POSTGRES", section == null ? null : section.url());
        if (url == null) {
            return null;
        }
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new ConfigException("PARLEY_POSTGRES", "is a JDBC URL, jdbc:postgresql://host:5432/parley");
        }
        String user = text("PARLEY_POSTGRES_USER", section == null ? null : section.user(), "parley");
        String password = text("PARLEY_POSTGRES_PASSWORD", section == null ? null : section.password(), "");
        return new ParleyConfig.Postgres(
                url,
                user,
                password,
                text("PARLEY_POSTGRES_APP_USER", section == null ? null : section.appUser(), user),
                text("PARLEY_POSTGRES_APP_PASSWORD", section == null ? null : section.appPassword(), password));
    }

    /** Reads {@code 500ms}, {@code 30s}, {@code 10m} or {@code 2h}. */
    public static Duration duration(String key, String text) {
        Matcher matcher = DURATION.matcher(text.strip());
        if (!matcher.matches()) {
            throw new ConfigException(key, "is a time such as 500ms, 30s, 10m or 2h, not '" + text + "'");
        }
        long n = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(n);
            case "s" -> Duration.ofSeconds(n);
            case "m" -> Duration.ofMinutes(n);
            default -> Duration.ofHours(n);
        };
    }

    private @Nullable String optional(String variable, @Nullable String fromFile) {
        String value = environment.get(variable);
        return value == null || value.isBlank() ? fromFile : value.strip();
    }

    private String text(String variable, @Nullable String fromFile, String fallback) {
        return Objects.requireNonNullElse(optional(variable, fromFile), fallback);
    }

    private int number(String variable, @Nullable Number fromFile, int fallback, int min, int max) {
        String text = optional(variable, fromFile == null ? null : fromFile.toString());
        try {
            int value = text == null ? fallback : Integer.parseInt(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // reported below, like a number out of range
        }
        throw new ConfigException(variable, "is a whole number from %d to %d, not '%s'".formatted(min, max, text));
    }
}
