package dev.parley.agents.model.anthropic;

import dev.parley.agents.model.wire.AnswerOptions;
import dev.parley.agents.model.wire.JsonOut;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.ThinkingLevel;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The generation parameters of a request, in the form that the model accepts. */
final class GenerationSettings {
    private static final int MIN_BUDGET = 1_024;

    private final Agent agent;
    private final ModelCapabilities family;
    private final boolean binds;
    private final int maxTokens;
    private final int budget;

    /** @param mayThink whether thinking may start at this point of the conversation */
    GenerationSettings(Agent agent, AnthropicOptions switches, boolean mayThink) {
        this.agent = agent;
        this.family = ModelCapabilities.of(agent.model());
        this.binds = switches.bind(agent.model());
        int requestedBudget =
                mayThink && family.thinking() == ModelCapabilities.Thinking.BUDGET ? budget(agent.thinking()) : 0;
        Integer configuredMax = agent.maxTokens();
        this.maxTokens =
                Math.min(configuredMax == null ? family.usual() + requestedBudget : configuredMax, family.most());
        int room = Math.min(requestedBudget, (int) (maxTokens * 3L / 4)); // a quarter remains for the answer
        this.budget = room < MIN_BUDGET ? 0 : room;
    }

    private static int budget(ThinkingLevel level) {
        return switch (level) {
            case NONE -> 0;
            case LOW -> MIN_BUDGET;
            case MEDIUM -> 4_096;
            case HIGH -> 16_000;
        };
    }

    /** Whether earlier thinking is sent. */
    static boolean remembersThinking(Agent agent) {
        ModelCapabilities family = ModelCapabilities.of(agent.model());
        // With thinking disabled, the handling of mismatched thinking blocks cannot be configured.
        return !(family.binds()
                && family.thinking() == ModelCapabilities.Thinking.UNLESS_TOLD
                && agent.thinking() == ThinkingLevel.NONE);
    }

    int maxTokens() {
        return maxTokens;
    }

    /** Writes the parameters. */
    void write(JsonOut o, AnswerOptions options) {
        String schema = options.schema();
        writeThinking(o);
        String effort = effort();
        if (effort != null || schema != null) {
            o.putObject("output_config", config -> {
                config.put("effort", effort);
                if (schema != null) {
                    config.putObject("format", f -> f.put("type", "json_schema").putRaw("schema", schema));
                }
            });
        }
        writeSampling(o);
        if (!options.stops().isEmpty()) {
            o.putArray("stop_sequences", s -> options.stops().forEach(s::add));
        }
        o.put("service_tier", agent.options().get("serviceTier"));
    }

    private boolean isNone() {
        return agent.thinking() == ThinkingLevel.NONE;
    }

    private void writeThinking(JsonOut o) {
        switch (family.thinking()) {
            case NEVER -> {}
            case BUDGET -> writeThinkingBudget(o);
            case ASKED -> {
                if (!isNone()) {
                    o.putObject("thinking", t -> t.put("type", "adaptive"));
                }
            }
            case UNLESS_TOLD -> {
                if (isNone()) {
                    o.putObject("thinking", t -> t.put("type", "disabled"));
                } else {
                    writeAdaptiveThinking(o);
                }
            }
            case ALWAYS -> writeAdaptiveThinking(o);
        }
    }

    private void writeThinkingBudget(JsonOut o) {
        if (budget > 0) {
            o.putObject("thinking", t -> t.put("type", "enabled").put("budget_tokens", budget));
        }
    }

    private void writeAdaptiveThinking(JsonOut o) {
        o.putObject("thinking", t -> {
            t.put("type", "adaptive").put("display", isNone() ? null : "summarized");
            if (binds) {
                t.putObject("block_binding", b -> b.put("prefix_mismatch_behavior", "drop_block"));
            }
        });
    }

    /** The effort; low for a model that always thinks although its agent does not want it. */
    private @Nullable String effort() {
        boolean takesEffort = switch (family.thinking()) {
            case NEVER, BUDGET -> false;
            case ASKED, UNLESS_TOLD -> !isNone();
            case ALWAYS -> true;
        };
        ThinkingLevel level = isNone() ? ThinkingLevel.LOW : agent.thinking();
        return takesEffort ? level.name().toLowerCase(Locale.ROOT) : null;
    }

    private void writeSampling(JsonOut o) {
        Double temperature = agent.temperature();
        Double topP = agent.topP();
        boolean isThinking = budget > 0 || (family.thinking() == ModelCapabilities.Thinking.ASKED && !isNone());
        if (!family.isKnown()) {
            o.put("temperature", temperature).put("top_p", topP);
        } else if (family.samples() && isThinking) {
            // With thinking, the temperature cannot be set.
            o.put("top_p", topP == null || topP < 0.95 || topP > 1 ? null : topP);
        } else if (family.samples()) {
            // Newer models accept only one of the two.
            o.put("temperature", temperature == null ? null : Math.clamp(temperature, 0.0, 1.0))
                    .put("top_p", temperature == null ? topP : null);
        }
    }
}
