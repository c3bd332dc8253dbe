package dev.parley.control.agents;

import dev.parley.control.agents.AgentBody.LimitsJson;
import dev.parley.control.definitions.AgentRow;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.definitions.GuardrailJson;
import dev.parley.control.http.Checks;
import dev.parley.control.http.JsonColumns;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.AgentSkill;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.platform.config.AgentCheck;
import dev.parley.platform.config.ProviderConfig;
import io.micronaut.json.tree.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Validates the definition of an agent; each error names its field. */
final class AgentReader {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,126}");
    private static final Pattern MODEL = Pattern.compile("[A-Za-z0-9_.-]{1,64}/[^\\s\\p{Cntrl}\"\\\\]{1,126}");
    private static final int MAX_TEXT = 65_536;
    private static final int MAX_OPTION = 16_384;
    private static final int MAX_TOOLS = 200;
    private static final int MAX_SKILLS = 200;
    private static final int MAX_CONFIG = 2_048;
    private static final int MAX_OPTIONS = 50;
    private static final int MAX_COUNT = 10_000;
    private static final BigDecimal MAX_DOLLARS = BigDecimal.valueOf(1_000_000);
    private static final Duration MAX_TIMEOUT = Duration.ofDays(1);

    private AgentReader() {}

    /**
     * The validated agent.
     *
     * @param name the name in the path, or null where the body has it
     */
    static AgentRow row(
            DefinitionScope scope, @Nullable String name, AgentBody body, Collection<ProviderConfig> providers) {
        Agent agent = agent(name(name, body.name()), body);
        AgentCheck.fault(agent, providers).ifPresent(fault -> {
            throw Checks.invalid(fault.field(), fault.problem());
        });
        String color = Checks.optionalName("color", body.color(), 32);
        return AgentRow.of(scope, agent, color);
    }

    private static String name(@Nullable String inPath, @Nullable String inBody) {
        String name = Checks.name(inPath, inBody);
        if (!isName(name)) {
            throw Checks.invalid("name", "must be 1 to 126 letters, digits, '_', '.' or '-'");
        }
        return name;
    }

    /** Whether this is a valid name of an agent. */
    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    private static Agent agent(String name, AgentBody body) {
        String model = model(body.model());
        int slash = model.indexOf('/');
        return new Agent(
                null,
                name,
                "",
                text("description", body.description(), 500),
                Checks.choice("mode", AgentMode.class, body.mode(), AgentMode.ALL),
                Boolean.TRUE.equals(body.hidden()),
                model.substring(0, slash),
                model.substring(slash + 1),
                Checks.optional("apiKey", body.apiKey(), 256),
                text("prompt", body.prompt(), MAX_TEXT),
                tools(body.tools()),
                skills(body.skills()),
                between("temperature", body.temperature(), 2),
                between("topP", body.topP(), 1),
                wholeNumber("maxTokens", body.maxTokens(), 10_000_000),
                Checks.choice("thinking", ThinkingLevel.class, body.thinking(), ThinkingLevel.NONE),
                limits(body.limits() == null ? LimitsJson.NONE : body.limits()),
                options(body.options()),
                GuardrailJson.read("guardrails", body.guardrails()));
    }

    private static String model(@Nullable String value) {
        String model = Checks.requireText("model", value, 200);
        if (!MODEL.matcher(model).matches()) {
            throw Checks.invalid("model", "must be provider/model, for example openai/gpt-5");
        }
        return model;
    }

    private static String text(String field, @Nullable String value, int max) {
        String text = Checks.optional(field, value, max);
        return text == null ? "" : text;
    }

    private static List<String> tools(@Nullable List<String> tools) {
        List<String> names = tools == null ? List.of() : tools;
        if (names.size() > MAX_TOOLS
                || !names.stream()
                        .allMatch(tool -> tool != null && NAME.matcher(tool).matches())) {
            throw Checks.invalid("tools", "must have at most " + MAX_TOOLS + " tool names");
        }
        return names.stream().distinct().toList();
    }

    private static List<AgentSkill> skills(@Nullable List<AgentBody.SkillJson> skills) {
        List<AgentBody.SkillJson> entries = skills == null ? List.of() : skills;
        var read = new LinkedHashMap<String, AgentSkill>();
        for (AgentBody.SkillJson skill : entries) {
            if (skill == null || entries.size() > MAX_SKILLS) {
                throw Checks.invalid("skills", "must have at most " + MAX_SKILLS + " skills, each with a name");
            }
            String name = Checks.requireText("skills.name", skill.name(), 64);
            String version = Checks.optionalName("skills.version", skill.version(), 32);
            var agentSkill = new AgentSkill(
                    name, version, skill.priority() == null ? 0 : skill.priority(), config(skill.config()));
            if (read.put(name, agentSkill) != null) {
                throw Checks.invalid("skills", "contains '" + name + "' twice");
            }
        }
        return List.copyOf(read.values());
    }

    private static @Nullable String config(@Nullable Map<String, Object> config) {
        String text = config == null ? null : JsonColumns.text(JsonNode.from(config));
        return Checks.optional("skills.config", text, MAX_CONFIG);
    }

    private static @Nullable Double between(String field, @Nullable Double value, int max) {
        if (value != null && !(value >= 0 && value <= max)) {
            throw Checks.invalid(field, "must be from 0 to " + max);
        }
        return value;
    }

    private static @Nullable Integer wholeNumber(String field, @Nullable Integer value, int max) {
        if (value != null && (value < 1 || value > max)) {
            throw Checks.invalid(field, "must be a whole number from 1 to " + max);
        }
        return value;
    }

    private static int wholeNumber(String field, @Nullable Integer value, int max, int fallback) {
        Integer number = wholeNumber("limits." + field, value, max);
        return number == null ? fallback : number;
    }

    private static Agent.Limits limits(LimitsJson json) {
        Agent.Limits usual = Agent.Limits.DEFAULT;
        int keep = wholeNumber("keep", json.keep(), MAX_COUNT, usual.keep());
        int compactAt = wholeNumber("compactAt", json.compactAt(), MAX_COUNT, usual.compactAt());
        if (compactAt <= keep) {
            throw Checks.invalid("limits.compactAt", "must be above limits.keep, which is " + keep);
        }
        Long tokens = json.sessionTokens();
        if (tokens != null && tokens < 1) {
            throw Checks.invalid("limits.sessionTokens", "must be 1 or more");
        }
        return new Agent.Limits(
                wholeNumber("maxSteps", json.maxSteps(), 1_000, usual.maxSteps()),
                json.turnTimeout() == null ? usual.turnTimeout() : timeout(json.turnTimeout()),
                wholeNumber("modelAttempts", json.modelAttempts(), 100, usual.modelAttempts()),
                tokens,
                nanos(json.sessionCost()),
                compactAt,
                keep,
                wholeNumber("maxQueued", json.maxQueued(), MAX_COUNT, usual.maxQueued()),
                wholeNumber("skillTokens", json.skillTokens(), 1_000_000, usual.skillTokens()));
    }

    private static Duration timeout(String text) {
        return Checks.time(
                "limits.turnTimeout", text, MAX_TIMEOUT, "must be a duration such as 90s or 30m, at most 24h");
    }

    private static @Nullable Long nanos(@Nullable BigDecimal dollars) {
        if (dollars == null) {
            return null;
        }
        if (dollars.signum() <= 0 || dollars.scale() > 12 || dollars.compareTo(MAX_DOLLARS) > 0) {
            throw Checks.invalid(
                    "limits.sessionCost",
                    "must be above 0 and at most " + MAX_DOLLARS + " dollars, with at most twelve decimals");
        }
        return Math.max(
                1, dollars.movePointRight(9).setScale(0, RoundingMode.HALF_UP).longValueExact());
    }

    private static Map<String, String> options(@Nullable Map<String, String> options) {
        Map<String, String> entries = options == null ? Map.of() : options;
        if (entries.size() > MAX_OPTIONS) {
            throw Checks.invalid("options", "must have at most " + MAX_OPTIONS + " entries");
        }
        entries.forEach((name, value) -> {
            if (value == null) {
                throw Checks.invalid("options." + name, "must be a string");
            }
            Checks.optional("options." + name, value, MAX_OPTION);
        });
        Agent.findInvalidMemoryOption(entries).ifPresent(wrong -> {
            throw Checks.invalid("options." + wrong.getKey(), wrong.getValue());
        });
        return entries;
    }
}
