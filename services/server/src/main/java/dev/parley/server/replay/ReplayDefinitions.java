package dev.parley.server.replay;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.DefinedTool;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.Endpoint;
import dev.parley.domain.definition.Skill;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.PermissionRule;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a session sees, with one agent that is not published, or not in this form. */
record ReplayDefinitions(Definitions published, Agent agent) implements Definitions {
    @Override
    public List<Agent> agents() {
        return Stream.concat(published.agents().stream().filter(other -> !isIt(other.name())), Stream.of(agent))
                .sorted(Comparator.comparing(Agent::name))
                .toList();
    }

    private boolean isIt(String name) {
        return name.equals(agent.name());
    }

    @Override
    public Optional<Agent> agent(String name) {
        return isIt(name) ? Optional.of(agent) : published.agent(name);
    }

    @Override
    public Optional<Agent> agent(String name, String version) {
        return isIt(name) ? Optional.of(agent) : published.agent(name, version);
    }

    @Override
    public List<ToolSpec> tools() {
        return published.tools();
    }

    @Override
    public Optional<ToolSpec> tool(String name) {
        return published.tool(name);
    }

    @Override
    public Optional<ToolSpec> tool(String name, @Nullable String version) {
        return published.tool(name, version);
    }

    @Override
    public Optional<DefinedTool> definedTool(String name, String version) {
        return published.definedTool(name, version);
    }

    @Override
    public Optional<Endpoint> endpoint(String name) {
        return published.endpoint(name);
    }

    @Override
    public List<Skill> skills() {
        return published.skills();
    }

    @Override
    public Optional<Skill> skill(String name, @Nullable String version) {
        return published.skill(name, version);
    }

    @Override
    public List<PermissionRule> permissions() {
        return published.permissions();
    }
}
