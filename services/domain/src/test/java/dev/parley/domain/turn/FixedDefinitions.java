package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.RuleLevel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The agents and tools of a test.
 *
 * @param erased projects and people
 */
record FixedDefinitions(List<Agent> agents, List<ToolSpec> tools, Set<String> erased, List<PermissionRule> permissions)
        implements Definitions {
    /** Everything is allowed. */
    static final PermissionRule ALL = new PermissionRule(
            Ids.of("all"),
            RuleLevel.HOST,
            null,
            PermissionRule.ANY,
            PermissionRule.EVERYTHING,
            PermissionAction.ALLOW,
            false,
            null,
            null);

    static final Agent.Limits LIMITS = new Agent.Limits(20, Duration.ofMinutes(30), 3, null, null, 40, 10, 50);

    FixedDefinitions {
        agents = agents.stream().sorted(Comparator.comparing(Agent::name)).toList();
        tools = List.copyOf(tools);
        erased = Set.copyOf(erased);
    }

    FixedDefinitions(List<Agent> agents, List<ToolSpec> tools) {
        this(agents, tools, Set.of(), List.of(ALL));
    }

    @Override
    public boolean isErased(RecordKey session, UUID host, @Nullable String user) {
        return erased.contains(session.project()) || user != null && erased.contains(user);
    }

    FixedDefinitions withErased(String projectOrUser) {
        return new FixedDefinitions(agents, tools, Set.of(projectOrUser), permissions);
    }

    static Agent agent(String name, AgentMode mode, Agent.Limits limits) {
        return agent(name, mode, limits, Map.of());
    }

    static Agent agent(String name, AgentMode mode, Agent.Limits limits, Map<String, String> options) {
        return new Agent(
                        name,
                        "",
                        "",
                        mode,
                        false,
                        "scripted",
                        "model-1",
                        null,
                        "You are " + name,
                        List.of(),
                        null,
                        null,
                        null,
                        ThinkingLevel.NONE,
                        limits,
                        options)
                .versioned();
    }

    static ToolSpec toolNamed(String name) {
        return new ToolSpec(name, "", "{}", ToolEffect.IDEMPOTENT, Duration.ofMinutes(2));
    }

    FixedDefinitions with(Agent agent) {
        var more = new ArrayList<>(without(agent.name()).agents());
        more.add(agent);
        return new FixedDefinitions(more, tools, erased, permissions);
    }

    FixedDefinitions with(ToolSpec tool) {
        var more = new ArrayList<>(tools);
        more.add(tool);
        return new FixedDefinitions(agents, more, erased, permissions);
    }

    FixedDefinitions without(String agent) {
        return new FixedDefinitions(
                agents.stream().filter(other -> !other.name().equals(agent)).toList(), tools, erased, permissions);
    }

    /** What a host wants to become of all calls of a tool. */
    static PermissionRule rule(String tool, PermissionAction action) {
        return new PermissionRule(
                Ids.of(tool, action),
                RuleLevel.HOST,
                null,
                tool,
                PermissionRule.EVERYTHING,
                action,
                false,
                null,
                "admin");
    }

    FixedDefinitions permitting(PermissionRule... rules) {
        return new FixedDefinitions(agents, tools, erased, List.of(rules));
    }
}
