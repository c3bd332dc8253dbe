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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The definitions visible from a scope: a narrower scope overrides a wider one, including all its versions.
 *
 * @param past returns older versions of agents by name and version, or null
 * @param toolsets cached toolsets of agents without disclosures, which are the same in every turn
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
    private static final int MAX_TOOLSETS = 100;

    /** @param defined null for a built-in tool */
    record Tool(ToolSpec spec, @Nullable DefinedTool defined) {}

    /** @param definitions of the visible scopes, the widest first */
    static ScopedDefinitions of(
            List<? extends Collection<Definition>> definitions, BiFunction<String, String, @Nullable Agent> past) {
        var collector = new Collector(endpoints(definitions));
        definitions.forEach(collector::add);
        return collector.definitions(past);
    }

    /** Collects the definitions of scopes; those added later override earlier ones. */
    private record Collector(
            Map<String, Endpoint> endpoints,
            SortedMap<String, Agent> agents,
            SortedMap<String, NavigableMap<String, Tool>> tools,
            SortedMap<String, NavigableMap<String, Skill>> skills,
            List<PermissionRule> permissions) {
        Collector(Map<String, Endpoint> endpoints) {
            this(endpoints, new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new ArrayList<>(Permissions.BUILTIN));
        }

        void add(Collection<Definition> scope) {
            var ownTools = new TreeMap<String, NavigableMap<String, Tool>>();
            var ownSkills = new TreeMap<String, NavigableMap<String, Skill>>();
            for (Definition definition : scope) {
                switch (definition) {
                    case Agent agent -> agents.put(agent.name(), agent);
                    case ToolSpec tool -> versions(ownTools, tool.name()).put(tool.version(), new Tool(tool, null));
                    case DefinedTool tool when tool.endpoint() != null && !endpoints.containsKey(tool.endpoint()) -> {}
                    case DefinedTool tool ->
                        versions(ownTools, tool.name()).put(tool.spec().version(), new Tool(tool.spec(), tool));
                    case Endpoint _ -> {} // collected before, since tools need them
                    case Skill skill -> versions(ownSkills, skill.name()).put(skill.version(), skill);
                    case DefinedRule defined -> permissions.add(defined.rule());
                }
            }
            tools.putAll(ownTools);
            skills.putAll(ownSkills);
        }

        ScopedDefinitions definitions(BiFunction<String, String, @Nullable Agent> past) {
            return new ScopedDefinitions(
                    agents,
                    tools,
                    skills,
                    endpoints,
                    List.copyOf(agents.values()),
                    newest(tools).map(Tool::spec).toList(),
                    newest(skills).toList(),
                    List.copyOf(permissions),
                    past,
                    Collections.synchronizedMap(new BoundedMap<>(MAX_TOOLSETS)));
        }
    }

    private static <T> Stream<T> newest(SortedMap<String, NavigableMap<String, T>> versionsByName) {
        return versionsByName.values().stream()
                .map(versions -> versions.lastEntry().getValue());
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

    private static <T> NavigableMap<String, T> versions(
            SortedMap<String, NavigableMap<String, T>> versionsByName, String name) {
        return versionsByName.computeIfAbsent(name, _ -> new TreeMap<>(DefinitionVersions.OLDEST_FIRST));
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
