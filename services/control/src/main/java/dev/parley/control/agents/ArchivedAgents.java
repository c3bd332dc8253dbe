package dev.parley.control.agents;

import dev.parley.control.definitions.ArchivedKind;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.domain.definition.Agent;
import dev.parley.platform.document.Document;
import dev.parley.platform.document.Stored.Refused;
import dev.parley.platform.document.Stored.Valid;
import dev.parley.platform.http.ApiException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Agents in project archives. */
@Singleton
@Requires(beans = Agents.class)
final class ArchivedAgents implements ArchivedKind {
    private static final Document<Agent> AGENT = Document.of(Agent.class);

    private final Agents agents;
    private final AgentRequests requests;

    ArchivedAgents(Agents agents, AgentRequests requests) {
        this.agents = agents;
        this.requests = requests;
    }

    @Override
    public String name() {
        return "agents";
    }

    @Override
    public List<JsonNode> export(DefinitionScope scope) {
        return agents.listOwn(scope, true).stream()
                .map(entry -> JsonNode.from(
                        switch (entry.stored()) {
                            case Valid<Agent>(Agent agent) -> AGENT.write(agent);
                            case Refused<Agent> refused -> refused.document();
                        }))
                .toList();
    }

    @Override
    public Optional<String> importOne(DefinitionScope scope, JsonNode definition) {
        Agent archived = requests.read(null, definition);
        Optional<AgentJson> existing = agents.findOwn(scope, archived.name());
        if (existing.isPresent()) {
            boolean isSame = existing.get()
                    .stored()
                    .valid()
                    .filter(current -> Stream.of(archived, archived.withApiKeyRef(null))
                            .anyMatch(agent -> current.equals(agent.withDefinitionId(current.id()))))
                    .isPresent();
            return isSame ? Optional.empty() : Optional.of("the project has a different one of this name");
        }
        try {
            agents.create(scope, archived, false);
            return Optional.empty();
        } catch (ApiException e) {
            if (archived.apiKeyRef() == null) {
                throw e;
            }
        }
        agents.create(scope, archived.withApiKeyRef(null), false);
        return Optional.of("was imported without its own key: the default key pays until another is set");
    }
}
