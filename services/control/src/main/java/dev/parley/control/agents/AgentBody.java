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
@Schema(name = "AgentDefinition", description = "What an agent is to be. What is left out has its default.")
record AgentBody(
        @Nullable String name,
        @Nullable String description,

        @Schema(description = "What comes first in each request.") @Nullable
        String prompt,

        @Schema(description = "provider/model") @Nullable String model,

        @Schema(
                description =
                        "What names the key: cred:ID of a credential, or env:NAME or vault:PATH#FIELD for administrators. Never the key."
                                + " Without it the usual one pays.")
        @Nullable
        String apiKey,

        @Schema(description = "primary, subagent or all, the default.") @Nullable
        String mode,

        @Schema(description = "true: lists leave it out; it can be used by its name.") @Nullable
        Boolean hidden,

        @Schema(description = "For those who show it.") @Nullable
        String color,

        @Schema(description = "Names of the tools that it may use; none means all.") @Nullable
        List<String> tools,

        @Schema(description = "Skills that it can load, in the order in which it is told of them.") @Nullable
        List<SkillJson> skills,

        @Schema(description = "0 to 2; without it the provider's default.") @Nullable
        Double temperature,

        @Schema(description = "0 to 1; without it the provider's default.") @Nullable
        Double topP,

        @Schema(description = "Of one answer; without it the provider's default.") @Nullable
        Integer maxTokens,

        @Schema(description = "none, the default, low, medium or high.") @Nullable
        String thinking,

        @Nullable LimitsJson limits,

        @Schema(description = "Passed on to the provider, such as {\"fallback\": \"openai/gpt-5-mini\"}.") @Nullable
        Map<String, String> options,

        @Schema(description = "What looks at what comes in and at what its model says, in this order.") @Nullable
        List<GuardrailJson> guardrails) {

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "AgentSkill", description = "A skill that an agent has.")
    record SkillJson(
            @Schema(description = "Of the skill; * for all that there are.") @Nullable
            String name,

            @Schema(description = "That it uses; without it the newest.") @Nullable
            String version,

            @Schema(description = "Where there is no room for all, those with the highest stay; 0 without it.")
            @Nullable
            Integer priority,

            @Schema(description = "Stands with the skill's text, for this agent.") @Nullable
            Map<String, Object> config) {}

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "AgentLimits", description = "What bounds a turn and a session.")
    record LimitsJson(
            @Schema(description = "Model calls of one turn; the last one is made without tools.") @Nullable
            Integer maxSteps,

            @Schema(description = "Such as 90s or 30m.") @Nullable
            String turnTimeout,

            @Schema(description = "How often one model call is tried.") @Nullable
            Integer modelAttempts,

            @Schema(description = "That a session may use.") @Nullable
            Long sessionTokens,

            @Schema(description = "US dollars that a session may cost.") @Nullable
            BigDecimal sessionCost,

            @Schema(description = "Turns at which older ones are replaced by a summary.") @Nullable
            Integer compactAt,

            @Schema(description = "Turns that a compaction leaves as they are.") @Nullable
            Integer keep,

            @Schema(description = "Messages that may wait.") @Nullable
            Integer maxQueued,

            @Schema(description = "For the descriptions of skills, and as many for the texts of those that are loaded.")
            @Nullable
            Integer skillTokens) {

        static final LimitsJson NONE = new LimitsJson(null, null, null, null, null, null, null, null, null);
    }
}
