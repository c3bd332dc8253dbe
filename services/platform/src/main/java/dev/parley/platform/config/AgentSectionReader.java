package dev.parley.platform.config;

import static java.util.Objects.requireNonNullElse;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.AgentSkill;
import dev.parley.domain.definition.Guardrail;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.platform.config.ConfigFile.AgentSection;
import dev.parley.platform.config.ConfigFile.AgentSkillSection;
import dev.parley.platform.config.ConfigFile.LimitsSection;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the agents of {@code parley.yml}, and adds the built-in ones. */
final class AgentSectionReader {
    private final String defaultModel;
    private final String transcriber;

    /**
     * @param defaultModel {@code provider/model} of agents that name none
     * @param transcriber model of agents that name none; empty for none
     */
    AgentSectionReader(String defaultModel, String transcriber) {
        this.defaultModel = defaultModel;
        this.transcriber = transcriber;
    }

    /** All agents, sorted by name. Built-in ones have the model of the default agent. */
    List<Agent> agents(@Nullable List<AgentSection> sections) {
        var agents = new TreeMap<String, Agent>();
        List<AgentSection> configured = sections == null ? List.of() : sections;
        for (int i = 0; i < configured.size(); i++) {
            Agent agent = agent("agents[" + i + "]", configured.get(i));
            if (agents.put(agent.name(), agent) != null) {
                throw new ConfigException(
                        "agents[" + i + "].name", "there are two agents called '" + agent.name() + "'");
            }
        }
        Agent usual = agents.get(Agent.DEFAULT);
        var builtIn =
                usual == null ? this : new AgentSectionReader(usual.provider() + "/" + usual.model(), transcriber);
        BuiltInAgents.sections().stream()
                .filter(section ->
                        agents.values().stream().noneMatch(agent -> agent.name().equals(section.name())))
                .map(section -> builtIn.agent("model", section))
                .toList()
                .forEach(agent -> agents.put(agent.name(), agent));
        return List.copyOf(agents.values());
    }

    Agent agent(String path, AgentSection section) {
        String model = requireNonNullElse(section.model(), defaultModel);
        int slash = model.indexOf('/');
        if (slash <= 0 || slash == model.length() - 1) {
            throw new ConfigException(
                    path + ".model", "is provider/model, for example scripted/scripted, not '" + model + "'");
        }
        String name = section.name();
        if (name == null) {
            throw new ConfigException(path + ".name", "an agent needs a name");
        }
        Map<String, String> options = options(path + ".options", section.options());
        try {
            return agent(path, name, model.substring(0, slash), model.substring(slash + 1), options, section)
                    .withContentVersion();
        } catch (IllegalArgumentException e) {
            throw new ConfigException(path, String.valueOf(e.getMessage()), e);
        }
    }

    private static Agent agent(
            String path,
            String name,
            String provider,
            String model,
            Map<String, String> options,
            AgentSection section) {
        return new Agent(
                null,
                name,
                "",
                requireNonNullElse(section.description(), ""),
                choice(path + ".mode", AgentMode.class, section.mode(), AgentMode.ALL),
                Boolean.TRUE.equals(section.hidden()),
                provider,
                model,
                apiKey(path + ".apiKey", section.apiKey()),
                requireNonNullElse(section.prompt(), ""),
                section.tools() == null ? List.of() : section.tools(),
                skills(path + ".skills", requireNonNullElse(section.skills(), List.of())),
                section.temperature(),
                section.topP(),
                section.maxTokens(),
                choice(path + ".thinking", ThinkingLevel.class, section.thinking(), ThinkingLevel.NONE),
                limits(path + ".limits", section.limits()),
                options,
                guardrails(path + ".guardrails", section.guardrails()));
    }

    private static @Nullable String apiKey(String path, @Nullable String reference) {
        return reference == null ? null : ProviderReader.agentReference(path, reference);
    }

    private Map<String, String> options(String path, @Nullable Map<String, String> configured) {
        var options = new HashMap<>(requireNonNullElse(configured, Map.of()));
        Agent.findInvalidMemoryOption(options).ifPresent(wrong -> {
            throw new ConfigException(path + "." + wrong.getKey(), wrong.getValue());
        });
        if (!transcriber.isEmpty()) {
            options.putIfAbsent(Agent.TRANSCRIBER, transcriber);
        }
        return options;
    }

    private static List<Guardrail> guardrails(String path, @Nullable List<@Nullable GuardrailFields> sections) {
        try {
            return sections == null ? List.of() : GuardrailFields.read(path, sections);
        } catch (GuardrailFields.Fault e) {
            throw new ConfigException(e.field(), e.problem());
        }
    }

    private static List<AgentSkill> skills(String path, List<AgentSkillSection> sections) {
        return sections.stream()
                .map(section -> {
                    if (section == null || section.name() == null) {
                        throw new ConfigException(path, "each skill needs a name");
                    }
                    return new AgentSkill(
                            section.name(), section.version(), requireNonNullElse(section.priority(), 0), null);
                })
                .toList();
    }

    private static Agent.Limits limits(String path, @Nullable LimitsSection section) {
        Agent.Limits defaults = Agent.Limits.DEFAULT;
        if (section == null) {
            return defaults;
        }
        Double cost = section.sessionCost();
        return new Agent.Limits(
                requireNonNullElse(section.maxSteps(), defaults.maxSteps()),
                section.turnTimeout() == null
                        ? defaults.turnTimeout()
                        : ConfigReader.duration(path + ".turnTimeout", section.turnTimeout()),
                requireNonNullElse(section.modelAttempts(), defaults.modelAttempts()),
                section.sessionTokens(),
                cost == null ? null : Math.round(cost * 1e9),
                requireNonNullElse(section.compactAt(), defaults.compactAt()),
                requireNonNullElse(section.keep(), defaults.keep()),
                requireNonNullElse(section.maxQueued(), defaults.maxQueued()),
                requireNonNullElse(section.skillTokens(), defaults.skillTokens()));
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
}
