package dev.parley.control.agents;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.control.definitions.GuardrailJson;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Definition of an agent. Omitted fields have their defaults.
 *
 * @param prompt System prompt, placed first in each request.
 * @param model Model, as provider/model.
 * @param apiKey Reference to the provider's key: cred:ID of a credential or, for administrators, env:NAME or
 *     vault:PATH#FIELD. Never the key itself. Defaults to the provider's usual key.
 * @param mode Mode: primary, subagent or all. Defaults to all.
 * @param hidden True to hide the agent from lists; it can still be used by name. Defaults to false.
 * @param color Color for clients that display the agent.
 * @param tools Names of the tools that the agent may use. Defaults to all tools.
 * @param skills Skills that the agent can load, in the order in which they are described to the model.
 * @param temperature Sampling temperature, 0 to 2. Defaults to the provider's value.
 * @param topP Nucleus sampling probability, 0 to 1. Defaults to the provider's value.
 * @param maxTokens Maximum tokens of one answer. Defaults to the provider's value.
 * @param thinking Thinking level: none, low, medium or high. Defaults to none.
 * @param options Options passed on to the provider, such as {"fallback": "openai/gpt-5-mini"}.
 * @param guardrails Guardrails for the input and the model's output, applied in the order given.
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "AgentDefinition")
record AgentBody(
        @Nullable String name,
        @Nullable String description,
        @Nullable String prompt,
        @Nullable String model,
        @Nullable String apiKey,
        @Nullable String mode,
        @Nullable Boolean hidden,
        @Nullable String color,
        @Nullable List<String> tools,
        @Nullable List<SkillJson> skills,
        @Nullable Double temperature,
        @Nullable Double topP,
        @Nullable Integer maxTokens,
        @Nullable String thinking,
        @Nullable LimitsJson limits,
        @Nullable Map<String, String> options,
        @Nullable List<GuardrailJson> guardrails) {

    /**
     * A skill of an agent.
     *
     * @param name Name of the skill; * for all skills.
     * @param version Version of the skill. Defaults to the newest.
     * @param priority Priority when not all skills fit; skills with the highest priority stay. Defaults to 0.
     * @param config Configuration added to the skill's text for this agent.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "AgentSkill")
    record SkillJson(
            @Nullable String name,
            @Nullable String version,
            @Nullable Integer priority,
            @Nullable Map<String, Object> config) {}

    /**
     * Limits of a turn and a session.
     *
     * @param maxSteps Maximum model calls of one turn; the last one is made without tools. Defaults to 20.
     * @param turnTimeout Maximum duration of a turn, such as 90s or 30m, at most 24h. Defaults to 30m.
     * @param modelAttempts Maximum attempts of one model call. Defaults to 5.
     * @param sessionTokens Maximum tokens of a session; null for no limit.
     * @param sessionCost Maximum cost of a session in US dollars; null for no limit.
     * @param compactAt Number of turns in the context that triggers compaction of older ones into a summary. Defaults
     *     to 40.
     * @param keep Number of recent turns that a compaction leaves unchanged. Defaults to 10.
     * @param maxQueued Maximum queued messages. Defaults to 50.
     * @param skillTokens Approximate tokens for skill descriptions, and the same again for the texts of loaded skills.
     *     Defaults to 8000.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "AgentLimits")
    record LimitsJson(
            @Nullable Integer maxSteps,
            @Nullable String turnTimeout,
            @Nullable Integer modelAttempts,
            @Nullable Long sessionTokens,
            @Nullable BigDecimal sessionCost,
            @Nullable Integer compactAt,
            @Nullable Integer keep,
            @Nullable Integer maxQueued,
            @Nullable Integer skillTokens) {

        static final LimitsJson NONE = new LimitsJson(null, null, null, null, null, null, null, null, null);
    }
}
