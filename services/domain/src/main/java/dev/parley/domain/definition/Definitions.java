package dev.parley.domain.definition;

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

    /** All tools but those that the turn machine carries out itself, each in its newest version, in order of name. */
    List<ToolSpec> tools();

    /** All skills, each in its newest version, in order of name. */
    default List<Skill> skills() {
        return List.of();
    }

    /**
     * A version of a skill.
     *
     * @param version null for the newest
     */
    default Optional<Skill> skill(String name, @Nullable String version) {
        return skills().stream()
                .filter(skill -> skill.name().equals(name))
                .filter(skill -> version == null || skill.version().equals(version))
                .findFirst();
    }

    /**
     * A version of a tool, unless the turn machine carries it out itself.
     *
     * @param version null for the newest; empty for one that comes with a program
     */
    default Optional<ToolSpec> tool(String name, @Nullable String version) {
        return tool(name).filter(tool -> version == null || tool.version().equals(version));
    }

    /** What carries a version of a tool out that somebody defined. */
    default Optional<DefinedTool> definedTool(String name, String version) {
        return Optional.empty();
    }

    /** An endpoint that tools may name here. */
    default Optional<Endpoint> endpoint(String name) {
        return Optional.empty();
    }

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

    /** The tools that the agent's model sees now. */
    default Toolset toolset(Agent agent, Disclosed disclosed) {
        return Toolset.of(agent, this, disclosed);
    }

    /** Agents that {@code agent} may delegate to. */
    default List<Agent> delegates(Agent agent) {
        return agents().stream()
                .filter(other -> other.isDelegable() && !other.name().equals(agent.name()))
                .toList();
    }
}
