package dev.parley.channels.openai;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.definition.Agent;
import dev.parley.platform.definitions.Catalogue;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.List;

/** The agents that people of a project may talk to. */
@Singleton
@Requires(property = "parley.role.channels", value = "true")
final class Agents {
    private final Catalogue catalogue;

    Agents(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    /** Those that are offered, in order of name. */
    List<Agent> offered(Caller caller, Project project) {
        return catalogue.in(caller.host(), project.project()).agents().stream()
                .filter(agent -> agent.isPrimary() && !agent.hidden())
                .toList();
    }

    /** One of them, or one that is hidden from lists. @throws ProtocolException 404 where there is none */
    Agent require(Caller caller, Project project, String name) {
        return catalogue
                .in(caller.host(), project.project())
                .agent(name)
                .filter(Agent::isPrimary)
                .orElseThrow(() -> ProtocolException.notFound(
                        "model_not_found",
                        "model",
                        "The model '%s' does not exist: a model is an agent, and GET /v1/models lists them."
                                .formatted(name)));
    }

    /** Who has defined it, for people. */
    String owner(Caller caller, Project project, String agent) {
        return catalogue.isOwn(caller.host(), project.project(), agent) ? project.projectKey() : "parley";
    }
}
