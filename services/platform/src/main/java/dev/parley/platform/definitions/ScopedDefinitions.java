package dev.parley.platform.definitions;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.DefinedRule;
import dev.parley.domain.definition.DefinedTool;
import dev.parley.domain.definition.Definition;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.Disclosed;
import dev.parley.domain.definition.Endpoint;
import dev.parley.domain.definition.Skill;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.definition.Toolset;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.Permissions;
import dev.parley.platform.collection.BoundedMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The definitions visible from a scope: a narrower scope overrides a wider one, including all its versions.
 *
 * @param past an agent of this name in an older version, or null
 * @param toolsets of agents that have disclosed nothing: the same for turn after turn
 */
record ScopedDefinitions(
        SortedMap<String, Agent> byName,
        SortedMap<String, NavigableMap<String, Tool>> toolsByName,
        SortedMap<String, NavigableMap<String, Skill>> skillsByName,
        Map<String, Endpoint> endpoints,
        List<Agent> agents,
        List<ToolSpec> tools,
        List<Skill> skills,
        List<PermissionRule> permissions,
        BiFunction<String, String, @Nullable Agent> past,
        Map<Agent, Toolset> toolsets)
        implements Definitions {
    private static final int TOOLSETS = 100;

    /** @param defined null for one that comes with a program */
    record Tool(ToolSpec spec, @Nullable DefinedTool defined) {}

    /** @param definitions of the scopes that are seen, the widest first */
    static ScopedDefinitions of(
            List<? extends Collection<Definition>> definitions, BiFunction<String, String, @Nullable Agent> past) {
        var agents = new TreeMap<String, Agent>();
        var tools = new TreeMap<String, NavigableMap<String, Tool>>();
        var skills = new TreeMap<String, NavigableMap<String, Skill>>();
        var permissions = new ArrayList<>(Permissions.BUILTIN);
        Map<String, Endpoint> endpoints = endpoints(definitions);
        for (Collection<Definition> scope : definitions) {
            var ownTools = new TreeMap<String, NavigableMap<String, Tool>>();
            var ownSkills = new TreeMap<String, NavigableMap<String, Skill>>();
            for (Definition definition : scope) {
                switch (definition) {
                    case Agent agent -> agents.put(agent.name(), agent);
                    case ToolSpec tool -> versions(ownTools, tool.name()).put(tool.version(), new Tool(tool, null));
                    case DefinedTool tool when tool.endpoint() != null && !endpoints.containsKey(tool.endpoint()) -> {}
                    case DefinedTool tool ->
                        versions(ownTools, tool.name()).put(tool.spec().version(), new Tool(tool.spec(), tool));
                    case Endpoint _ -> {} // found above, as tools need it
                    case Skill skill -> versions(ownSkills, skill.name()).put(skill.version(), skill);
                    case DefinedRule defined -> permissions.add(defined.rule());
                }
            }
            tools.putAll(ownTools);
            skills.putAll(ownSkills);
        }
        return new ScopedDefinitions(
                agents,
                tools,
                skills,
                endpoints,
                List.copyOf(agents.values()),
                tools.values().stream()
                        .map(versions -> versions.lastEntry().getValue().spec())
                        .toList(),
                skills.values().stream()
                        .map(versions -> versions.lastEntry().getValue())
                        .toList(),
                List.copyOf(permissions),
                past,
                Collections.synchronizedMap(new BoundedMap<>(TOOLSETS)));
    }

    private static Map<String, Endpoint> endpoints(List<? extends Collection<Definition>> definitions) {
        var endpoints = new HashMap<String, Endpoint>();
        definitions.forEach(scope -> scope.forEach(definition -> {
            if (definition instanceof Endpoint endpoint) {
                endpoints.put(endpoint.name(), endpoint);
            }
        }));
        return Map.copyOf(endpoints);
    }

    private static <T> NavigableMap<String, T> versions(SortedMap<String, NavigableMap<String, T>> all, String name) {
        return all.computeIfAbsent(name, _ -> new TreeMap<>(Versions.OLDEST_FIRST));
    }

    @Override
    public Optional<Agent> agent(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    @Override
    public Optional<Agent> agent(String name, String version) {
        return Optional.ofNullable(past.apply(name, version)).or(() -> agent(name));
    }

    @Override
    public Optional<ToolSpec> tool(String name) {
        return tool(name, null);
    }

    @Override
    public Optional<ToolSpec> tool(String name, @Nullable String version) {
        return version(toolsByName.get(name), version).map(Tool::spec);
    }

    @Override
    public Optional<DefinedTool> definedTool(String name, String version) {
        return version(toolsByName.get(name), version).map(Tool::defined);
    }

    @Override
    public Toolset toolset(Agent agent, Disclosed disclosed) {
        return disclosed.equals(Disclosed.NONE)
                ? toolsets.computeIfAbsent(agent, _ -> Toolset.of(agent, this, disclosed))
                : Toolset.of(agent, this, disclosed);
    }

    @Override
    public Optional<Endpoint> endpoint(String name) {
        return Optional.ofNullable(endpoints.get(name));
    }

    @Override
    public Optional<Skill> skill(String name, @Nullable String version) {
        return version(skillsByName.get(name), version);
    }

    private static <T> Optional<T> version(@Nullable NavigableMap<String, T> versions, @Nullable String version) {
        if (versions == null) {
            return Optional.empty();
        }
        return Optional.ofNullable(version == null ? versions.lastEntry().getValue() : versions.get(version));
    }
}
