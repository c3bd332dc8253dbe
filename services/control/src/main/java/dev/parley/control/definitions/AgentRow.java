package dev.parley.control.definitions;

import dev.parley.domain.definition.Agent;
import dev.parley.platform.document.Document;
import dev.parley.platform.document.Stored;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code control.agent_definition_t}.
 *
 * @param agentDefId the id of the agent, unchanged from definition to deletion
 * @param projectId null for a host agent
 * @param body the agent's document, as JSON
 * @param version the version of the row; the version of the agent is derived from its content
 */
@MappedEntity(value = "agent_definition_t", schema = "control")
public record AgentRow(
        UUID hostId,
        @Id UUID agentDefId,
        @Nullable UUID projectId,
        String name,
        String body,
        @MappedProperty("aggregate_version") long version,
        boolean active,
        @MappedProperty("update_ts") Instant updatedAt,
        @MappedProperty("update_user") String updatedBy) {
    private static final Document<Agent> AGENT = Document.of(Agent.class);

    /** An agent to be stored. */
    public static AgentRow of(DefinitionScope scope, UUID id, Agent agent) {
        return new AgentRow(
                scope.host(),
                id,
                scope.projectId(),
                agent.name(),
                StoredDocuments.write(agent),
                0,
                true,
                Instant.now(),
                scope.caller().user());
    }

    /** The agent, or why this build refuses it. */
    public Stored<Agent> stored() {
        return Stored.ofJson(body, document -> AGENT.read(document).withDefinitionId(agentDefId));
    }
}
