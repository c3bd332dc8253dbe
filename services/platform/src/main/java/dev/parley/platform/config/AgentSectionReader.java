package dev.parley.platform.config;

import dev.parley.domain.definition.Agent;
import dev.parley.platform.document.Document;
import dev.parley.platform.document.InvalidDocumentException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the agents of {@code parley.yml}, and adds the built-in ones. */
final class AgentSectionReader {
    private static final Document<Agent> AGENT = Document.of(Agent.class);

    private final String defaultModel;
    private final String transcriber;

    /**
     * @param defaultModel {@code provider/model} of agents that name none
     * @param transcriber model of agents that name none; empty for none
     */
    AgentSectionReader(String defaultModel, String transcriber) {
        this.defaultModel = defaultModel;
        this.transcriber = transcriber;
    }

    /** All agents, sorted by name. Built-in ones have the model of the default agent. */
    List<Agent> agents(@Nullable List<@Nullable Object> documents) {
        var agents = new TreeMap<String, Agent>();
        List<@Nullable Object> configured = documents == null ? List.of() : documents;
        for (int i = 0; i < configured.size(); i++) {
            Agent agent = agent("agents[" + i + "]", configured.get(i));
            if (agents.put(agent.name(), agent) != null) {
                throw new ConfigException(
                        "agents[" + i + "].name", "there are two agents called '" + agent.name() + "'");
            }
        }
        Agent usual = agents.get(Agent.DEFAULT);
        var builtIn =
                usual == null ? this : new AgentSectionReader(usual.provider() + "/" + usual.model(), transcriber);
        BuiltInAgents.documents().stream()
                .map(document -> builtIn.agent("", document))
                .forEach(agent -> agents.putIfAbsent(agent.name(), agent));
        return List.copyOf(agents.values());
    }

    /**
     * Reads an agent, which has the default model and transcriber where it names none.
     *
     * @throws ConfigException naming each invalid field below the path
     */
    Agent agent(String path, @Nullable Object document) {
        try {
            Agent agent = AGENT.read(document instanceof Map<?, ?> fields ? withDefaults(fields) : document);
            String reference = agent.apiKeyRef();
            if (reference != null && !ProviderReader.isAgentReference(reference)) {
                throw new ConfigException(
                        path + ".apiKey", "is env:NAME, file:PATH, vault:PATH#FIELD or cred:ID, never the key itself");
            }
            return withTranscriber(agent).withContentVersion();
        } catch (InvalidDocumentException e) {
            throw ConfigException.of(path, e.faults());
        }
    }

    private Map<Object, @Nullable Object> withDefaults(Map<?, ?> fields) {
        var agent = new LinkedHashMap<Object, @Nullable Object>(fields);
        agent.putIfAbsent("model", defaultModel);
        return agent;
    }

    private Agent withTranscriber(Agent agent) {
        if (transcriber.isEmpty() || agent.options().containsKey(Agent.TRANSCRIBER)) {
            return agent;
        }
        var options = new TreeMap<>(agent.options());
        options.put(Agent.TRANSCRIBER, transcriber);
        return agent.withOptions(options);
    }
}
