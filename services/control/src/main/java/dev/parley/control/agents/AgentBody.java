package dev.parley.control.agents;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.control.definitions.GuardrailJson;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Request body that defines an agent; docs/agents.md lists the defaults of missing fields. */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "AgentDefinition", description = "Definition of an agent. Omitted fields have their defaults.")
record AgentBody(
        @Nullable String name,
        @Nullable String description,

        @Schema(description = "System prompt, placed first in each request.") @Nullable
        String prompt,

        @Schema(description = "Model, as provider/model.") @Nullable
        String model,

        @Schema(
                description = "Reference to the provider's key: cred:ID of a credential or, for administrators, "
                        + "env:NAME or vault:PATH#FIELD. Never the key itself. Defaults to the provider's "
                        + "usual key.")
        @Nullable
        String apiKey,

        @Schema(description = "Mode: primary, subagent or all. Defaults to all.") @Nullable
        String mode,

        @Schema(description = "True to hide the agent from lists; it can still be used by name. Defaults to false.")
        @Nullable
        Boolean hidden,

        @Schema(description = "Color for clients that display the agent.") @Nullable
        String color,

        @Schema(description = "Names of the tools that the agent may use. Defaults to all tools.") @Nullable
        List<String> tools,

        @Schema(description = "Skills that the agent can load, in the order in which they are described to the model.")
        @Nullable
        List<SkillJson> skills,

        @Schema(description = "Sampling temperature, 0 to 2. Defaults to the provider's value.") @Nullable
        Double temperature,

        @Schema(description = "Nucleus sampling probability, 0 to 1. Defaults to the provider's value.") @Nullable
        Double topP,

        @Schema(description = "Maximum tokens of one answer. Defaults to the provider's value.") @Nullable
        Integer maxTokens,

        @Schema(description = "Thinking level: none, low, medium or high. Defaults to none.") @Nullable
        String thinking,

        @Nullable LimitsJson limits,

        @Schema(description = "Options passed on to the provider, such as {\"fallback\": \"openai/gpt-5-mini\"}.")
        @Nullable
        Map<String, String> options,

        @Schema(description = "Guardrails for the input and the model's output, applied in the order given.") @Nullable
        List<GuardrailJson> guardrails) {

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "AgentSkill", description = "A skill of an agent.")
    record SkillJson(
            @Schema(description = "Name of the skill; * for all skills.") @Nullable
            String name,

            @Schema(description = "Version of the skill. Defaults to the newest.") @Nullable
            String version,

            @Schema(
                    description =
                            "Priority when not all skills fit; skills with the highest priority stay. Defaults to 0.")
            @Nullable
            Integer priority,

            @Schema(description = "Configuration added to the skill's text for this agent.") @Nullable
            Map<String, Object> config) {}

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "AgentLimits", description = "Limits of a turn and a session.")
    record LimitsJson(
            @Schema(
                    description =
                            "Maximum model calls of one turn; the last one is made without tools. Defaults to 20.")
            @Nullable
            Integer maxSteps,

            @Schema(description = "Maximum duration of a turn, such as 90s or 30m, at most 24h. Defaults to 30m.")
            @Nullable
            String turnTimeout,

            @Schema(description = "Maximum attempts of one model call. Defaults to 5.") @Nullable
            Integer modelAttempts,

            @Schema(description = "Maximum tokens of a session; null for no limit.") @Nullable
            Long sessionTokens,

            @Schema(description = "Maximum cost of a session in US dollars; null for no limit.") @Nullable
            BigDecimal sessionCost,

            @Schema(
                    description = "Number of turns in the context that triggers compaction of older ones into a "
                            + "summary. Defaults to 40.")
            @Nullable
            Integer compactAt,

            @Schema(description = "Number of recent turns that a compaction leaves unchanged. Defaults to 10.")
            @Nullable
            Integer keep,

            @Schema(description = "Maximum queued messages. Defaults to 50.") @Nullable
            Integer maxQueued,

            @Schema(
                    description = "Approximate tokens for skill descriptions, and the same again for the texts "
                            + "of loaded skills. Defaults to 8000.")
            @Nullable
            Integer skillTokens) {

        static final LimitsJson NONE = new LimitsJson(null, null, null, null, null, null, null, null, null);
    }
}
