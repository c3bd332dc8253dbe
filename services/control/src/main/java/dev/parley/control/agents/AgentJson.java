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

/** An agent as a project or a host sees it. */
@Serdeable
@Schema(name = "Agent", description = "An agent: a persona with a model, tools and limits.")
record AgentJson(
        String name,
        String description,
        String prompt,

        @Schema(description = "Model, as provider/model.") String model,

        @Schema(
                description = "Reference to the provider's key, never the key itself; null for the usual key and "
                        + "for agents of the installation.")
        @Nullable
        String apiKey,

        @Schema(description = "Mode: primary, subagent or all.")
        String mode,

        boolean hidden,
        @Nullable String color,

        @Schema(description = "Names of the tools that the agent may use; empty for all tools.")
        List<String> tools,

        List<AgentBody.SkillJson> skills,
        @Nullable Double temperature,
        @Nullable Double topP,
        @Nullable Integer maxTokens,

        @Schema(description = "Thinking level: none, low, medium or high.")
        String thinking,

        LimitsJson limits,
        Map<String, String> options,
        List<GuardrailJson> guardrails,

        @Schema(description = "Origin of the definition: project, host, builtin or config (the installation's file).")
        String source,

        @Schema(
                description = "Version of the definition; it changes with each change. A turn keeps the version "
                        + "it started with.")
        String version,

        @Nullable Instant updatedAt,

        @Schema(description = "False if the agent was deleted.")
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
