package dev.parley.domain.definition;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Overrides of an agent's configuration for one turn, or for all turns of a session.
 *
 * @param model {@code provider/model}, one of those that the agent lets users choose
 * @param maxTokens maximum tokens of one answer; the agent's own limit still applies
 * @param options by name, as of an agent; only {@link #OPTIONS}
 */
public record Settings(
        @Nullable String model,
        @Nullable ThinkingLevel thinking,
        @Nullable Double temperature,
        @Nullable Double topP,
        @Nullable Integer maxTokens,
        Map<String, String> options) {

    /** Option that, set to {@link Agent#NONE}, denies tool calls which would need approval. */
    public static final String APPROVALS = "approvals";

    /** Option: skills loaded at the start of a turn, comma-separated; {@link AgentSkill#ALL} for as many as fit. */
    public static final String SKILLS = "skills";

    /** Option: tokens after which a turn makes no further model calls. */
    public static final String TURN_TOKENS = "turnTokens";

    /** Option: cost in millionths of a dollar after which a turn makes no further model calls. */
    public static final String TURN_COST = "turnCostMicros";

    /** Option: maximum depth of delegation of a turn. */
    public static final String DELEGATION_DEPTH = "delegationDepth";

    /** Option that, set to {@code false}, limits the model to one tool call at a time. */
    public static final String PARALLEL_CALLS = "parallelToolCalls";

    /** Option that, set to {@code true}, lets no answer pass that does not match the response schema. */
    public static final String STRICT_SCHEMA = "strictSchema";

    /** The options that users may set. */
    public static final Set<String> OPTIONS = Set.of(
            "responseSchema",
            STRICT_SCHEMA,
            "stop",
            "verbosity",
            Agent.TOOL_CHOICE,
            PARALLEL_CALLS,
            Agent.MEMORY,
            APPROVALS,
            SKILLS,
            TURN_TOKENS,
            TURN_COST,
            DELEGATION_DEPTH);

    /** The numeric limits of a turn, which also apply to the turns that it delegates. */
    public static final List<String> BOUNDS = List.of(TURN_TOKENS, TURN_COST, DELEGATION_DEPTH);

    /** The options that can only be turned off. */
    private static final List<String> SWITCHES = List.of(Agent.MEMORY, APPROVALS);

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");

    public static final Settings NONE = new Settings(null, null, null, null, null, Map.of());

    public Settings {
        check(temperature == null || (temperature >= 0 && temperature <= 2), "temperature is from 0 to 2");
        check(topP == null || (topP > 0 && topP <= 1), "topP is above 0 and at most 1");
        check(maxTokens == null || maxTokens > 0, "maxTokens is at least 1");
        check(OPTIONS.containsAll(options.keySet()), "the options are " + String.join(", ", new TreeSet<>(OPTIONS)));
        for (String name : SWITCHES) {
            check(Agent.NONE.equals(options.getOrDefault(name, Agent.NONE)), name + " is none");
        }
        check(
                ToolChoice.read(options.getOrDefault(Agent.TOOL_CHOICE, Agent.NONE))
                        .isPresent(),
                Agent.TOOL_CHOICE + " is none, required or tool:NAME");
        check("false".equals(options.getOrDefault(PARALLEL_CALLS, "false")), PARALLEL_CALLS + " is false");
        check("true".equals(options.getOrDefault(STRICT_SCHEMA, "true")), STRICT_SCHEMA + " is true");
        for (String name : BOUNDS) {
            check(NUMBER.matcher(options.getOrDefault(name, "0")).matches(), name + " is a number from 0");
        }
        options = Collections.unmodifiableMap(new TreeMap<>(options));
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** The part of these settings that delegated turns inherit, or null if there is none. */
    public @Nullable Settings bounds() {
        var bounds = new TreeMap<>(options);
        bounds.keySet().retainAll(BOUNDS);
        return bounds.isEmpty() ? null : new Settings(null, null, null, null, null, bounds);
    }

    /** These settings, with the other's values where these have none. */
    public Settings over(@Nullable Settings defaults) {
        if (defaults == null) {
            return this;
        }
        var merged = new TreeMap<>(defaults.options);
        merged.putAll(options);
        return new Settings(
                model == null ? defaults.model : model,
                thinking == null ? defaults.thinking : thinking,
                temperature == null ? defaults.temperature : temperature,
                topP == null ? defaults.topP : topP,
                maxTokens == null ? defaults.maxTokens : maxTokens,
                merged);
    }
}
