package dev.parley.server.sessionreplay;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.DefinitionsAround;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The definitions of a session, with one unpublished or changed agent. */
record ReplayDefinitions(Definitions there, Agent agent) implements DefinitionsAround {
    @Override
    public List<Agent> agents() {
        return Stream.concat(there.agents().stream().filter(other -> !isIt(other.name())), Stream.of(agent))
                .sorted(Comparator.comparing(Agent::name))
                .toList();
    }

    /** The turns of a recorded session are replayed whoever its key belongs to now. */
    @Override
    public Set<String> bots() {
        return Set.of();
    }

    private boolean isIt(String name) {
        return name.equals(agent.name());
    }

    @Override
    public Optional<Agent> agent(String name) {
        return isIt(name) ? Optional.of(agent) : there.agent(name);
    }

    @Override
    public Optional<Agent> agent(String name, String version) {
        return isIt(name) ? Optional.of(agent) : there.agent(name, version);
    }
}
