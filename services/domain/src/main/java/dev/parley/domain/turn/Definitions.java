package dev.parley.domain.turn;

import java.util.List;
import java.util.Optional;

/** The agents and tools that a host has now. Implementations answer at once and never block. */
public interface Definitions {
    /** All agents, in order of name. */
    List<Agent> agents();

    /** All tools but {@code message} and {@code delegate}, in order of name. */
    List<ToolSpec> tools();

    /** The agent with this name in its newest version. */
    default Optional<Agent> agent(String name) {
        return agents().stream().filter(agent -> agent.name().equals(name)).findFirst();
    }

    /** The version that a turn started with, or the newest where that one is gone. */
    default Optional<Agent> agent(String name, String version) {
        return agents().stream()
                .filter(agent -> agent.name().equals(name) && agent.version().equals(version))
                .findFirst()
                .or(() -> agent(name));
    }

    /** Agents that {@code agent} may delegate to. */
    default List<Agent> delegates(Agent agent) {
        return agents().stream()
                .filter(other -> other.isDelegable() && !other.name().equals(agent.name()))
                .toList();
    }
}
