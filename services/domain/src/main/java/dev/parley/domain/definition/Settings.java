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

    /** The option that says, with {@link Agent#NONE}, that nobody is asked whether a tool may be used: the call is refused. */
    public static final String APPROVALS = "approvals";

    /**
     * The option that names skills that are loaded when a turn begins, separated by commas; {@link AgentSkill#ALL} for as many as
     * there is room for.
     */
    public static final String SKILLS = "skills";

    /** The option that says after how many tokens a turn makes no more model calls. */
    public static final String TURN_TOKENS = "turnTokens";

    /** The option that says after how many millionths of a dollar a turn makes no more model calls. */
    public static final String TURN_COST = "turnCostMicros";

    /** The option that says how many levels of agents may work for a turn. */
    public static final String DELEGATION_DEPTH = "delegationDepth";

    /** The option that says, with {@code false}, that a model makes one tool call at a time. */
    public static final String PARALLEL_CALLS = "parallelToolCalls";

    /** The options that people may set; the others are for whoever pays. */
    public static final Set<String> OPTIONS = Set.of(
            "responseSchema",
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

    /** Those that bound a turn, and the turns of agents that work for it, by a number. */
    public static final List<String> BOUNDS = List.of(TURN_TOKENS, TURN_COST, DELEGATION_DEPTH);

    /** Those that can only be switched off. */
    private static final List<String> SWITCHES = List.of(Agent.MEMORY, APPROVALS);

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");

    /** Nothing special. */
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
        for (String name : BOUNDS) {
            check(NUMBER.matcher(options.getOrDefault(name, "0")).matches(), name + " is a number from 0");
        }
        options = Collections.unmodifiableMap(new TreeMap<>(options));
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** What of it holds for agents that work for a turn with these settings, too; null where nothing does. */
    public @Nullable Settings bounds() {
        var bounds = new TreeMap<>(options);
        bounds.keySet().retainAll(BOUNDS);
        return bounds.isEmpty() ? null : new Settings(null, null, null, null, null, bounds);
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
