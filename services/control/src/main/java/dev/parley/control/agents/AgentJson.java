package dev.parley.control.agents;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.parley.control.agents.AgentBody.LimitsJson;
import dev.parley.control.definitions.AgentRow;
import dev.parley.control.definitions.GuardrailJson;
import dev.parley.control.http.JsonColumns;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentSkill;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An agent: a persona with a model, tools and limits.
 *
 * @param model Model, as provider/model.
 * @param apiKey Reference to the provider's key, never the key itself; null for the usual key and for agents of the
 *     installation.
 * @param mode Mode: primary, subagent or all.
 * @param tools Names of the tools that the agent may use; empty for all tools.
 * @param thinking Thinking level: none, low, medium or high.
 * @param source Origin of the definition: project, host, builtin or config (the installation's file).
 * @param version Version of the definition; it changes with each change. A turn keeps the version it started with.
 * @param active False if the agent was deleted.
 */
@Serdeable
@Schema(name = "Agent")
record AgentJson(
        String name,
        String description,
        String prompt,
        String model,
        @Nullable String apiKey,
        String mode,
        boolean hidden,
        @Nullable String color,
        List<String> tools,
        List<AgentBody.SkillJson> skills,
        @Nullable Double temperature,
        @Nullable Double topP,
        @Nullable Integer maxTokens,
        String thinking,
        LimitsJson limits,
        Map<String, String> options,
        List<GuardrailJson> guardrails,
        String source,
        String version,
        @Nullable Instant updatedAt,
        boolean active,
        @JsonIgnore long row) {

    static AgentJson of(AgentRow row) {
        String source = row.projectId() == null ? "host" : "project";
        return of(row.agent(), row.apiKeyRef(), row.color(), source, row.updatedAt(), row.active(), row.version());
    }

    /** An agent of the installation; the reference to its key is not shown. */
    static AgentJson ofInstallation(Agent agent, String source) {
        return of(agent, null, null, source, null, true, 0);
    }

    private static AgentJson of(
            Agent agent,
            @Nullable String apiKey,
            @Nullable String color,
            String source,
            @Nullable Instant updatedAt,
            boolean active,
            long row) {
        return new AgentJson(
                agent.name(),
                agent.description(),
                agent.prompt(),
                agent.provider() + "/" + agent.model(),
                apiKey,
                agent.mode().name().toLowerCase(Locale.ROOT),
                agent.hidden(),
                color,
                agent.tools(),
                agent.skills().stream().map(AgentJson::skill).toList(),
                agent.temperature(),
                agent.topP(),
                agent.maxTokens(),
                agent.thinking().name().toLowerCase(Locale.ROOT),
                limits(agent.limits()),
                agent.options(),
                GuardrailJson.of(agent.guardrails()),
                source,
                agent.version(),
                updatedAt,
                active,
                row);
    }

    private static LimitsJson limits(Agent.Limits limits) {
        Long nanos = limits.sessionCostNanos();
        return new LimitsJson(
                limits.maxSteps(),
                time(limits.turnTimeout()),
                limits.modelAttempts(),
                limits.sessionTokens(),
                nanos == null ? null : BigDecimal.valueOf(nanos, 9).stripTrailingZeros(),
                limits.compactAt(),
                limits.keep(),
                limits.maxQueued(),
                limits.skillTokens());
    }

    private static AgentBody.SkillJson skill(AgentSkill skill) {
        String config = skill.config();
        return new AgentBody.SkillJson(
                skill.name(), skill.version(), skill.priority(), config == null ? null : JsonColumns.object(config));
    }

    /** The shortest form of a duration. */
    private static String time(Duration time) {
        long millis = time.toMillis();
        if (millis % 1_000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1_000;
        return seconds % 3_600 == 0 ? seconds / 3_600 + "h" : seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }
}
