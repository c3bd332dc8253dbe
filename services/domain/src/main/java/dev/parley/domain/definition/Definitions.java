package dev.parley.domain.definition;

import dev.parley.domain.RecordKey;
import dev.parley.domain.permission.PermissionRule;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The current definitions of a host, and what in it is erased. Implementations are in-memory and never block. */
public interface Definitions {
    /** All agents, ordered by name. */
    List<Agent> agents();

    /** All tools except the turn machine's own, each in its newest version, ordered by name. */
    List<ToolSpec> tools();

    /** All skills, each in its newest version, ordered by name. */
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
     * A version of a tool; never one of the turn machine's own.
     *
     * @param version null for the newest; empty for a built-in tool
     */
    default Optional<ToolSpec> tool(String name, @Nullable String version) {
        return tool(name).filter(tool -> version == null || tool.version().equals(version));
    }

    /** The definition of a tool version that was defined at runtime. */
    default Optional<DefinedTool> definedTool(String name, String version) {
        return Optional.empty();
    }

    /** The endpoint of this name. */
    default Optional<Endpoint> endpoint(String name) {
        return Optional.empty();
    }

    /** All permission rules except those of sessions. */
    List<PermissionRule> permissions();

    /** The newest version of this agent. */
    default Optional<Agent> agent(String name) {
        return agents().stream().filter(agent -> agent.name().equals(name)).findFirst();
    }

    /** The newest version of this tool; never one of the turn machine's own. */
    default Optional<ToolSpec> tool(String name) {
        return tools().stream().filter(tool -> tool.name().equals(name)).findFirst();
    }

    /** The version that a turn started with, or the newest if that version no longer exists. */
    default Optional<Agent> agent(String name, String version) {
        return agents().stream()
                .filter(agent -> agent.name().equals(name) && agent.version().equals(version))
                .findFirst()
                .or(() -> agent(name));
    }

    /** The names of the project's bots, which are the first part of the keys of their sessions. */
    default Set<String> bots() {
        return Set.of();
    }

    /** The user id of the account with this username in the host, whatever its case. */
    default Optional<String> account(String username) {
        return Optional.empty();
    }

    /** Whether the session's project or user is erased; then no turn may start. */
    default boolean isErased(RecordKey session, UUID host, @Nullable String user) {
        return false;
    }

    /**
     * Whether a user may still send messages to a session, for what is sent later in their name.
     *
     * @param owns whether the session is theirs
     */
    default boolean maySend(RecordKey session, UUID host, @Nullable String user, boolean owns) {
        return true;
    }

    /** The time zone of a user; UTC if it is unknown. */
    default ZoneId zone(UUID host, @Nullable String user) {
        return ZoneOffset.UTC;
    }

    /** The tools currently shown to the agent's model. */
    default Toolset toolset(Agent agent, Disclosed disclosed) {
        return Toolset.of(agent, this, disclosed);
    }

    /** The agents that {@code agent} may delegate to. */
    default List<Agent> delegates(Agent agent) {
        return agents().stream()
                .filter(other -> other.isDelegable() && !other.name().equals(agent.name()))
                .toList();
    }
}
