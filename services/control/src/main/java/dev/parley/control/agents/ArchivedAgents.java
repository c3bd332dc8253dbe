package dev.parley.control.agents;

import dev.parley.control.definitions.AgentRow;
import dev.parley.control.definitions.ArchivedKind;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.http.ApiException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Agents in project archives. */
@Singleton
@Requires(beans = Agents.class)
final class ArchivedAgents implements ArchivedKind {
    /** Read-only fields of an agent. */
    private static final Set<String> READ_ONLY = Set.of("source", "version", "updatedAt", "active");

    private final Agents agents;
    private final ParleyConfig config;
    private final JsonMapper json;

    ArchivedAgents(Agents agents, ParleyConfig config, JsonMapper json) {
        this.agents = agents;
        this.config = config;
        this.json = json;
    }

    @Override
    public String name() {
        return "agents";
    }

    @Override
    public List<JsonNode> export(DefinitionScope scope) throws IOException {
        var definitions = new ArrayList<JsonNode>();
        for (AgentJson agent : agents.listOwn(scope, true)) {
            definitions.add(fields(agent));
        }
        return definitions;
    }

    private JsonNode fields(AgentJson agent) throws IOException {
        var fields = new LinkedHashMap<String, JsonNode>();
        for (Map.Entry<String, JsonNode> field : json.writeValueToTree(agent).entries()) {
            if (!READ_ONLY.contains(field.getKey())) {
                fields.put(field.getKey(), field.getValue());
            }
        }
        return JsonNode.createObjectNode(fields);
    }

    @Override
    public Optional<String> importOne(DefinitionScope scope, JsonNode definition) throws IOException {
        AgentBody body = Objects.requireNonNull(json.readValueFromTree(definition, AgentBody.class));
        AgentRow archived = AgentReader.row(scope, null, body, config.providers());
        Optional<AgentJson> existing = agents.findOwn(scope, archived.name());
        if (existing.isPresent()) {
            JsonNode current = fields(existing.get());
            boolean isSame = current.equals(fields(AgentJson.of(archived)))
                    || current.equals(fields(AgentJson.of(archived.withApiKeyRef(null))));
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
