package dev.parley.domain.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.permission.PermissionRule;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The agents and tools that a host has now, and what in it is erased. Implementations answer at once and never block. */
public interface Definitions {
    /** All agents, in order of name. */
    List<Agent> agents();

    /** All tools but {@code message} and {@code delegate}, in order of name. */
    List<ToolSpec> tools();

    /** All rules about tool calls that hold here, but those of sessions. */
    List<PermissionRule> permissions();

    /** The agent with this name in its newest version. */
    default Optional<Agent> agent(String name) {
        return agents().stream().filter(agent -> agent.name().equals(name)).findFirst();
    }

    /** The tool with this name, unless the turn machine carries it out itself. */
    default Optional<ToolSpec> tool(String name) {
        return tools().stream().filter(tool -> tool.name().equals(name)).findFirst();
    }

    /** The version that a turn started with, or the newest where that one is gone. */
    default Optional<Agent> agent(String name, String version) {
        return agents().stream()
                .filter(agent -> agent.name().equals(name) && agent.version().equals(version))
                .findFirst()
                .or(() -> agent(name));
    }

    /** Whether the session's project is erased, or this person: nothing begins for them any more, however late it comes. */
    default boolean isErased(RecordKey session, UUID host, @Nullable String user) {
        return false;
    }

    /** Agents that {@code agent} may delegate to. */
    default List<Agent> delegates(Agent agent) {
        return agents().stream()
                .filter(other -> other.isDelegable() && !other.name().equals(agent.name()))
                .toList();
    }
}
