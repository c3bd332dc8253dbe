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
        SortedMap<String, NavigableMap<String, Optional<Tool>>> toolsByName,
        SortedMap<String, NavigableMap<String, Optional<Skill>>> skillsByName,
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

    /** @param definitions of the visible scopes by key, the widest first; empty where this build refuses one */
    static ScopedDefinitions of(
            List<Map<String, Optional<Definition>>> definitions, BiFunction<String, String, @Nullable Agent> past) {
        var collector = new Collector(endpoints(definitions));
        definitions.forEach(collector::add);
        return collector.definitions(past);
    }

    /** The versions of tools and skills of one scope, by name; a version that this build refuses is empty. */
    private record Versions(
            SortedMap<String, NavigableMap<String, Optional<Tool>>> tools,
            SortedMap<String, NavigableMap<String, Optional<Skill>>> skills) {
        void add(ToolSpec spec, @Nullable DefinedTool defined) {
            versions(tools, spec.name()).put(spec.version(), Optional.of(new Tool(spec, defined)));
        }
    }

    /** Collects the definitions of scopes; those added later override earlier ones. */
    private record Collector(
            Map<String, Endpoint> endpoints,
            SortedMap<String, Agent> agents,
            SortedMap<String, NavigableMap<String, Optional<Tool>>> tools,
            SortedMap<String, NavigableMap<String, Optional<Skill>>> skills,
            List<PermissionRule> permissions) {
        Collector(Map<String, Endpoint> endpoints) {
            this(endpoints, new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new ArrayList<>(Permissions.BUILTIN));
        }

        void add(Map<String, Optional<Definition>> scope) {
            var own = new Versions(new TreeMap<>(), new TreeMap<>());
            scope.forEach((key, definition) ->
                    definition.ifPresentOrElse(readable -> add(readable, own), () -> refuse(key, own)));
            tools.putAll(own.tools());
            skills.putAll(own.skills());
        }

        private void add(Definition definition, Versions own) {
            switch (definition) {
                case Agent agent -> agents.put(agent.name(), agent);
                case ToolSpec tool -> own.add(tool, null);
                case DefinedTool tool when tool.endpoint() != null && !endpoints.containsKey(tool.endpoint()) -> {}
                case DefinedTool tool -> own.add(tool.spec(), tool);
                case Endpoint _ -> {} // collected before, since tools need them
                case Skill skill -> versions(own.skills(), skill.name()).put(skill.version(), Optional.of(skill));
                case DefinedRule defined -> permissions.add(defined.rule());
            }
        }

        /** Neither a wider definition nor an older version takes the place of a refused one: it may allow more. */
        private void refuse(String key, Versions own) {
            String recordName = key.substring(key.lastIndexOf('/') + 1);
            String[] name = (recordName + "@").split("@", 3);
            switch (key.substring(0, key.indexOf('/') + 1)) {
                case "agent/" -> agents.remove(recordName);
                case "tool/" -> versions(own.tools(), name[0]).put(name[1], Optional.empty());
                case "skill/" -> versions(own.skills(), name[0]).put(name[1], Optional.empty());
                case CatalogueScope.RULE ->
                    permissions.add(CatalogueScope.denial(key).rule());
                default -> {} // an endpoint is not collected, and no other kind can be used
            }
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

    private static <T> Stream<T> newest(SortedMap<String, NavigableMap<String, Optional<T>>> versionsByName) {
        return versionsByName.values().stream().flatMap(versions -> versions.lastEntry().getValue().stream());
    }

    private static Map<String, Endpoint> endpoints(List<Map<String, Optional<Definition>>> definitions) {
        var endpoints = new HashMap<String, Endpoint>();
        definitions.forEach(scope -> scope.values().forEach(definition -> {
            if (definition.orElse(null) instanceof Endpoint endpoint) {
                endpoints.put(endpoint.name(), endpoint);
            }
        }));
        return Map.copyOf(endpoints);
    }

    private static <T> NavigableMap<String, Optional<T>> versions(
            SortedMap<String, NavigableMap<String, Optional<T>>> versionsByName, String name) {
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

    private static <T> Optional<T> version(
            @Nullable NavigableMap<String, Optional<T>> versions, @Nullable String version) {
        if (versions == null) {
            return Optional.empty();
        }
        return version == null ? versions.lastEntry().getValue() : versions.getOrDefault(version, Optional.empty());
    }
}
