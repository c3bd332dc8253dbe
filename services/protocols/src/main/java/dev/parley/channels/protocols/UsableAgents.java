package dev.parley.channels.protocols;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.Skill;
import dev.parley.platform.definitions.DefinitionCatalogue;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The agents that members of a project may use. */
@Singleton
public final class UsableAgents {
    private final DefinitionCatalogue catalogue;

    UsableAgents(DefinitionCatalogue catalogue) {
        this.catalogue = catalogue;
    }

    /** The visible agents, by name. */
    public List<Agent> offeredAgents(Caller caller, Project project) {
        return catalogue.in(caller.host(), project.project()).agents().stream()
                .filter(agent -> agent.isPrimary() && !agent.hidden())
                .toList();
    }

    /** One agent, also a hidden one. */
    public Optional<Agent> find(Caller caller, Project project, String name) {
        return catalogue.in(caller.host(), project.project()).agent(name).filter(Agent::isPrimary);
    }

    /**
     * One agent, also a hidden one.
     *
     * @throws ApiException 404 where there is none
     */
    public Agent require(Caller caller, Project project, String name) {
        return find(caller, project, name)
                .orElseThrow(() -> ApiException.notFound("unknown_agent", "There is no agent '%s'".formatted(name)));
    }

    /** The current skills of an agent, without deleted ones. */
    public List<Skill> skills(Caller caller, Project project, Agent agent) {
        Definitions definitions = catalogue.in(caller.host(), project.project());
        return agent.skills().stream()
                .flatMap(skill -> definitions.skill(skill.name(), skill.version()).stream())
                .toList();
    }

    /** When its definition was published; empty where that is unknown. */
    public Optional<Instant> publishedAt(Caller caller, Project project, Agent agent) {
        return catalogue.publishedAt(caller.host(), project.project(), agent);
    }

    /** The owner of its definition, for people. */
    public String owner(Caller caller, Project project, String agent) {
        return catalogue.isOwn(caller.host(), project.project(), agent) ? project.projectKey() : "parley";
    }
}
