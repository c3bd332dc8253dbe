package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.AgentSkill;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.Skill;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.RuleLevel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The agents and tools of a test.
 *
 * @param erased projects and people
 */
record FixedDefinitions(
        List<Agent> agents,
        List<ToolSpec> tools,
        List<Skill> skills,
        Set<String> erased,
        List<PermissionRule> permissions)
        implements Definitions {
    /** Definitions that allow everything. */
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

    static final Agent.Limits LIMITS =
            new Agent.Limits(20, Duration.ofMinutes(30), 3, null, null, 40, 10, 50, Agent.Limits.SKILL_TOKENS);

    FixedDefinitions {
        agents = agents.stream().sorted(Comparator.comparing(Agent::name)).toList();
        tools = List.copyOf(tools);
        skills = skills.stream().sorted(Comparator.comparing(Skill::name)).toList();
        erased = Set.copyOf(erased);
    }

    FixedDefinitions(List<Agent> agents, List<ToolSpec> tools) {
        this(agents, tools, List.of(), Set.of(), List.of(ALL));
    }

    @Override
    public boolean isErased(RecordKey session, UUID host, @Nullable String user) {
        return erased.contains(session.project()) || user != null && erased.contains(user);
    }

    FixedDefinitions withErased(String projectOrUser) {
        return new FixedDefinitions(agents, tools, skills, Set.of(projectOrUser), permissions);
    }

    static Agent agent(String name, AgentMode mode, Agent.Limits limits) {
        return agent(name, mode, limits, Map.of());
    }

    static Agent agent(String name, AgentMode mode, Agent.Limits limits, Map<String, String> options) {
        return new Agent(
                        null,
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
                        List.of(),
                        null,
                        null,
                        null,
                        ThinkingLevel.NONE,
                        limits,
                        options,
                        List.of())
                .withContentVersion();
    }

    static ToolSpec toolNamed(String name) {
        return new ToolSpec(name, "", "{}", ToolEffect.IDEMPOTENT, Duration.ofMinutes(2));
    }

    FixedDefinitions with(Agent agent) {
        var newAgents = new ArrayList<>(without(agent.name()).agents());
        newAgents.add(agent);
        return new FixedDefinitions(newAgents, tools, skills, erased, permissions);
    }

    FixedDefinitions with(ToolSpec tool) {
        var newTools = new ArrayList<>(tools);
        newTools.add(tool);
        return new FixedDefinitions(agents, newTools, skills, erased, permissions);
    }

    FixedDefinitions with(Skill skill) {
        var newSkills = new ArrayList<>(skills);
        newSkills.add(skill);
        return new FixedDefinitions(agents, tools, newSkills, erased, permissions);
    }

    /** The newest version is the first of its name. */
    @Override
    public Optional<ToolSpec> tool(String name, @Nullable String version) {
        return tools.stream()
                .filter(tool -> tool.name().equals(name))
                .filter(tool -> version == null || tool.version().equals(version))
                .findFirst();
    }

    /** The default agent with skills and a limit for their tokens. */
    static Agent skilled(int tokens, AgentSkill... skills) {
        return skilled(tokens, List.of(), skills);
    }

    /** The same, with the tools that it may use besides those of its skills. */
    static Agent skilled(int tokens, List<String> tools, AgentSkill... skills) {
        return new Agent(
                        null,
                        Agent.DEFAULT,
                        "",
                        "",
                        AgentMode.ALL,
                        false,
                        "scripted",
                        "model-1",
                        null,
                        "You are default",
                        tools,
                        List.of(skills),
                        null,
                        null,
                        null,
                        ThinkingLevel.NONE,
                        new Agent.Limits(20, Duration.ofMinutes(30), 3, null, null, 40, 10, 50, tokens),
                        Map.of(),
                        List.of())
                .withContentVersion();
    }

    /** The default agent alone. */
    FixedDefinitions alone() {
        var defaultOnly = agents.stream()
                .filter(agent -> agent.name().equals(Agent.DEFAULT))
                .toList();
        return new FixedDefinitions(defaultOnly, tools, skills, erased, permissions);
    }

    FixedDefinitions without(String agent) {
        return new FixedDefinitions(
                agents.stream().filter(other -> !other.name().equals(agent)).toList(),
                tools,
                skills,
                erased,
                permissions);
    }

    /** A rule of the host for all calls of a tool. */
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
        return new FixedDefinitions(agents, tools, skills, erased, List.of(rules));
    }
}
