package dev.parley.agents.model;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.ThinkingLevel;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Agents that want something special of their model. */
public final class Agents {
    private Agents() {}

    public static Agent of(
            String provider,
            String model,
            @Nullable Double temperature,
            @Nullable Integer maxTokens,
            ThinkingLevel thinking,
            Map<String, String> options) {
        return new Agent(
                null,
                "default",
                "",
                "",
                AgentMode.ALL,
                false,
                provider,
                model,
                null,
                "Be brief.",
                List.of(),
                List.of(),
                temperature,
                null,
                maxTokens,
                thinking,
                Agent.Limits.DEFAULT,
                options,
                List.of());
    }
}
