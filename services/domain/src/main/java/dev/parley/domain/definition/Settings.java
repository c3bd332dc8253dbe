package dev.parley.domain.definition;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a turn, or all turns of a session, are to be answered where that is not as their agent says.
 *
 * @param model {@code provider/model}, one of those that the agent lets people choose from
 * @param maxTokens most tokens of one answer; the agent's own limit holds all the same
 * @param options by name, as an agent's; only {@link #OPTIONS}
 */
public record Settings(
        @Nullable String model,
        @Nullable ThinkingLevel thinking,
        @Nullable Double temperature,
        @Nullable Double topP,
        @Nullable Integer maxTokens,
        Map<String, String> options) {

    /** The options that people may set; the others are for whoever pays. */
    public static final Set<String> OPTIONS =
            Set.of("responseSchema", "stop", "verbosity", Agent.TOOL_CHOICE, Agent.MEMORY, Agent.APPROVALS);

    /** Those that can only be switched off. */
    private static final List<String> SWITCHES = List.of(Agent.TOOL_CHOICE, Agent.MEMORY, Agent.APPROVALS);

    /** Nothing special. */
    public static final Settings NONE = new Settings(null, null, null, null, null, Map.of());

    public Settings {
        check(temperature == null || (temperature >= 0 && temperature <= 2), "temperature is from 0 to 2");
        check(topP == null || (topP > 0 && topP <= 1), "topP is above 0 and at most 1");
        check(maxTokens == null || maxTokens > 0, "maxTokens is at least 1");
        check(
                OPTIONS.containsAll(options.keySet()),
                "the options are responseSchema, stop, verbosity, toolChoice, memory and approvals");
        for (String name : SWITCHES) {
            check(Agent.NONE.equals(options.getOrDefault(name, Agent.NONE)), name + " is none");
        }
        options = Collections.unmodifiableMap(new TreeMap<>(options));
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** These settings, and where they say nothing the others. */
    public Settings over(@Nullable Settings others) {
        if (others == null) {
            return this;
        }
        var all = new TreeMap<>(others.options);
        all.putAll(options);
        return new Settings(
                model == null ? others.model : model,
                thinking == null ? others.thinking : thinking,
                temperature == null ? others.temperature : temperature,
                topP == null ? others.topP : topP,
                maxTokens == null ? others.maxTokens : maxTokens,
                all);
    }
}
