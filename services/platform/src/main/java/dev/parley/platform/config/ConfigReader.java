package dev.parley.platform.config;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.AgentSkill;
import dev.parley.domain.definition.Guardrail;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.platform.config.ConfigFile.AgentSection;
import dev.parley.platform.config.ConfigFile.KafkaSection;
import dev.parley.platform.config.ConfigFile.LimitsSection;
import dev.parley.platform.config.ConfigFile.PostgresSection;
import dev.parley.platform.embedding.Embedders;
import dev.parley.platform.embedding.MiniLm;
import dev.parley.platform.sealing.MasterKeys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Builds the configuration: the environment overrides the file, and the file overrides the defaults. */
public final class ConfigReader {
    private static final String SCRIPTED = "scripted/scripted";
    private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|s|m|h)");
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.\\d+){3}|::1");
    /** Room for eight processes of each role. */
    private static final int PARTITIONS = 8;

    /** One machine has no more processors to give; each further partition makes each commit dearer. */
    private static final int PARTITIONS_EMBEDDED = 2;

    private static final int MIN_KEY = 16;

    /** Seconds in which a load balancer that asks each second or two has noticed. */
    private static final int DRAIN = 5;

    private final Map<String, String> environment;
    private final ConfigFile file;

    private ConfigReader(Map<String, String> environment, ConfigFile file) {
        this.environment = environment;
        this.file = file;
    }

    /**
     * Reads and checks everything.
     *
     * @param environment variables, with those that flags set
     * @throws ConfigException naming the first setting that cannot be used
     */
    public static ParleyConfig read(Map<String, String> environment) {
        String named = environment.getOrDefault("PARLEY_CONFIG", "").strip();
        Path path = Path.of(named.isEmpty() ? "parley.yml" : named);
        return new ConfigReader(EnvironmentVariables.withoutKubernetes(environment), ConfigFile.read(path)).config();
    }

    private ParleyConfig config() {
        Path data = Path.of(text("PARLEY_DATA", file.data(), "data"))
                .toAbsolutePath()
                .normalize();
        ParleyConfig.Kafka kafka = kafka();
        var config = new ParleyConfig(
                data,
                Path.of(text("PARLEY_BLOBS", file.blobs(), data.resolve("blobs").toString())),
                number("PARLEY_PORT", file.port(), 8080, 0, 65_535),
                text("PARLEY_BIND", file.bind(), "127.0.0.1"),
                optional("PARLEY_URL", file.url()),
                ProcessRole.parse(text("PARLEY_ROLES", file.roles(), "all")),
                optional("PARLEY_ADMIN_KEY", null),
                masterKeys(),
                kafka,
                postgres(),
                optional("PARLEY_REGISTRY", file.registry()),
                number(
                        "PARLEY_PARTITIONS",
                        file.partitions(),
                        kafka == null ? PARTITIONS_EMBEDDED : PARTITIONS,
                        1,
                        1_024),
                (short) number(
                        "PARLEY_REPLICAS",
                        file.replicas() == null ? null : file.replicas().intValue(),
                        1,
                        1,
                        9),
                text("PARLEY_INSTANCE", file.instance(), "parley-1"),
                Duration.ofSeconds(number("PARLEY_DRAIN", null, kafka == null ? 0 : DRAIN, 0, 300)),
                new ProviderReader(environment).providers(file.providers()),
                file.prices() == null ? List.of() : file.prices(),
                new BotReader(environment)
                        .bots(file.telegram(), file.slack(), file.webhooks(), file.discord(), file.bots()),
                SignInReader.signIn(file.signIn()),
                MailReader.mail(file.mail()),
                agents(),
                PermissionReader.permissions(file.permissions()),
                ToolsReader.tools(file.tools(), file.plugins(), optional("PARLEY_PYTHON", null)),
                WorkflowsConfig.of(file.workflows()),
                JsonTopicsReader.topics(file.jsonTopics()),
                embedding());
        check(config);
        return config;
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

    /** Agents fit their providers, and the agents of bots are defined. */
    private static void checkAgents(ParleyConfig config) {
        for (Agent agent : config.agents()) {
            AgentCheck.fault(agent, config.providers()).ifPresent(fault -> {
                throw new ConfigException("agents", "the agent '%s' %s".formatted(agent.name(), fault.what()));
            });
        }
        for (BotConfig bot : config.bots()) {
            boolean known =
                    config.agents().stream().anyMatch(agent -> agent.name().equals(bot.agent()));
            if (bot.agent() != null && !known) {
                throw new ConfigException(
                        bot.kind(),
                        "the bot '%s' wants the agent '%s', which is not there".formatted(bot.name(), bot.agent()));
            }
        }
    }

    private static void check(ParleyConfig config) {
        checkUrl(config);
        boolean all = config.roles().size() == ProcessRole.values().length;
        if (!all && (config.embedsKafka() || config.embedsPostgres())) {
            throw new ConfigException(
                    "PARLEY_ROLES",
                    "a process with some of the roles needs PARLEY_KAFKA and PARLEY_POSTGRES, so that it can meet the others");
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

    /** Links and addresses to come back to begin with it. */
    private static void checkUrl(ParleyConfig config) {
        String url = config.url();
        if (url != null
                && (config.mail() != null || !config.signIn().providers().isEmpty())) {
            WebAddress.base("PARLEY_URL", url);
        }
    }

    private @Nullable MasterKeys masterKeys() {
        String text = optional("PARLEY_MASTER_KEY", file.masterKey());
        try {
            return text == null ? null : MasterKeys.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "PARLEY_MASTER_KEY",
                    "%s; it is %d random bytes in base64, or several of them with commas between"
                            .formatted(e.getMessage(), MasterKeys.LENGTH));
        }
    }

    // ---- brokers and database

    private ParleyConfig.@Nullable Kafka kafka() {
        KafkaSection section = file.kafka();
        String bootstrap = optional("PARLEY_KAFKA", section == null ? null : section.bootstrap());
        if (bootstrap == null) {
            return null;
        }
        Map<String, String> settings = section == null || section.settings() == null ? Map.of() : section.settings();
        return new ParleyConfig.Kafka(bootstrap, settings);
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

    // ---- agents

    private List<Agent> agents() {
        String model = text("PARLEY_MODEL", file.model(), SCRIPTED);
        String transcriber = text("PARLEY_TRANSCRIBER", file.transcriber(), "");
        var agents = new ArrayList<Agent>();
        var names = new HashSet<String>();
        List<AgentSection> sections = file.agents() == null ? List.of() : file.agents();
        for (int i = 0; i < sections.size(); i++) {
            Agent agent = agent("agents[" + i + "]", sections.get(i), model, transcriber);
            if (!names.add(agent.name())) {
                throw new ConfigException(
                        "agents[" + i + "].name", "there are two agents called '" + agent.name() + "'");
            }
            agents.add(agent);
        }
        String usual = agents.stream()
                .filter(agent -> agent.name().equals(Agent.DEFAULT))
                .map(agent -> agent.provider() + "/" + agent.model())
                .findFirst()
                .orElse(model);
        BuiltInAgents.sections().stream()
                .filter(section -> !names.contains(section.name()))
                .forEach(section -> agents.add(agent("model", section, usual, transcriber)));
        agents.sort((a, b) -> a.name().compareTo(b.name()));
        return agents;
    }

    static Agent agent(String at, AgentSection section, String defaultModel, String transcriber) {
        String model = section.model() == null ? defaultModel : section.model();
        int slash = model.indexOf('/');
        if (slash <= 0 || slash == model.length() - 1) {
            throw new ConfigException(
                    at + ".model", "is provider/model, for example " + SCRIPTED + ", not '" + model + "'");
        }
        if (section.name() == null) {
            throw new ConfigException(at + ".name", "an agent needs a name");
        }
        var options = new HashMap<>(or(section.options(), Map.of()));
        Agent.wrongMemory(options).ifPresent(wrong -> {
            throw new ConfigException(at + ".options." + wrong.getKey(), wrong.getValue());
        });
        if (!transcriber.isEmpty()) {
            options.putIfAbsent(Agent.TRANSCRIBER, transcriber);
        }
        try {
            return new Agent(
                            null,
                            section.name(),
                            "",
                            or(section.description(), ""),
                            choice(at + ".mode", AgentMode.class, section.mode(), AgentMode.ALL),
                            Boolean.TRUE.equals(section.hidden()),
                            model.substring(0, slash),
                            model.substring(slash + 1),
                            section.apiKey() == null
                                    ? null
                                    : ProviderReader.agentReference(at + ".apiKey", section.apiKey()),
                            or(section.prompt(), ""),
                            section.tools() == null ? List.of() : section.tools(),
                            skills(at + ".skills", or(section.skills(), List.of())),
                            section.temperature(),
                            section.topP(),
                            section.maxTokens(),
                            choice(at + ".thinking", ThinkingLevel.class, section.thinking(), ThinkingLevel.NONE),
                            limits(at + ".limits", section.limits()),
                            options,
                            guardrails(at + ".guardrails", section.guardrails()))
                    .versioned();
        } catch (IllegalArgumentException e) {
            throw new ConfigException(at, String.valueOf(e.getMessage()));
        }
    }

    private static List<Guardrail> guardrails(String at, @Nullable List<@Nullable GuardrailFields> sections) {
        try {
            return sections == null ? List.of() : GuardrailFields.read(at, sections);
        } catch (GuardrailFields.Fault e) {
            throw new ConfigException(e.field(), e.what());
        }
    }

    private static List<AgentSkill> skills(String at, List<ConfigFile.AgentSkillSection> sections) {
        return sections.stream()
                .map(one -> {
                    if (one == null || one.name() == null) {
                        throw new ConfigException(at, "each skill needs a name");
                    }
                    return new AgentSkill(one.name(), one.version(), or(one.priority(), 0), null);
                })
                .toList();
    }

    private static Agent.Limits limits(String at, @Nullable LimitsSection section) {
        Agent.Limits defaults = Agent.Limits.DEFAULT;
        if (section == null) {
            return defaults;
        }
        Double cost = section.sessionCost();
        return new Agent.Limits(
                or(section.maxSteps(), defaults.maxSteps()),
                section.turnTimeout() == null
                        ? defaults.turnTimeout()
                        : duration(at + ".turnTimeout", section.turnTimeout()),
                or(section.modelAttempts(), defaults.modelAttempts()),
                section.sessionTokens(),
                cost == null ? null : Math.round(cost * 1e9),
                or(section.compactAt(), defaults.compactAt()),
                or(section.keep(), defaults.keep()),
                or(section.maxQueued(), defaults.maxQueued()),
                or(section.skillTokens(), defaults.skillTokens()));
    }

    // ---- single values

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

    private static <E extends Enum<E>> E choice(String key, Class<E> type, @Nullable String text, E fallback) {
        if (text == null) {
            return fallback;
        }
        return Arrays.stream(type.getEnumConstants())
                .filter(value -> value.name().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new ConfigException(
                        key,
                        "is one of " + Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT)));
    }

    private static <T> T or(@Nullable T value, T fallback) {
        return value == null ? fallback : value;
    }

    private @Nullable String optional(String variable, @Nullable String fromFile) {
        String value = environment.get(variable);
        return value == null || value.isBlank() ? fromFile : value.strip();
    }

    private String text(String variable, @Nullable String fromFile, String fallback) {
        return or(optional(variable, fromFile), fallback);
    }

    private int number(String variable, @Nullable Integer fromFile, int fallback, int least, int most) {
        String text = optional(variable, fromFile == null ? null : fromFile.toString());
        try {
            int value = text == null ? fallback : Integer.parseInt(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // said below, as for a number out of range
        }
        throw new ConfigException(variable, "is a whole number from %d to %d, not '%s'".formatted(least, most, text));
    }
}
