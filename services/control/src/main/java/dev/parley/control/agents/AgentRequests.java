package dev.parley.control.agents;

import dev.parley.control.http.Checks;
import dev.parley.control.http.Documents;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.document.Fault;
import dev.parley.platform.config.AgentCheck;
import dev.parley.platform.config.ParleyConfig;
import io.micronaut.context.annotation.Requires;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the agents of requests and archives. */
@Singleton
@Requires(property = "parley.role.control", value = "true", beans = ParleyConfig.class)
final class AgentRequests {
    private final ParleyConfig config;

    AgentRequests(ParleyConfig config) {
        this.config = config;
    }

    /**
     * The agent of a document.
     *
     * @param name the name in the path, or null where the document has it
     * @throws dev.parley.platform.http.ApiException 400 naming the invalid fields
     */
    Agent read(@Nullable String name, JsonNode document) {
        Agent agent = Documents.read(Agent.class, name, document);
        List<Fault> faults = AgentCheck.faults(agent, config.providers());
        if (!faults.isEmpty()) {
            throw Checks.invalid(faults);
        }
        return agent;
    }
}
