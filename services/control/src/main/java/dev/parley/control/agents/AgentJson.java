package dev.parley.control.agents;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.parley.control.definitions.AgentRow;
import dev.parley.domain.definition.Agent;
import dev.parley.platform.document.Document;
import dev.parley.platform.document.Stored;
import dev.parley.platform.document.Stored.Refused;
import dev.parley.platform.document.Stored.Valid;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An agent as a project or a host sees it.
 *
 * @param stored the agent, or why this build refuses it
 * @param source {@code project}, {@code host}, {@code builtin} or {@code config}
 * @param row version of its row; 0 without one
 */
@Serdeable
@Schema(name = "Agent") // DocumentSchemas has its fields
record AgentJson(
        String name,
        Stored<Agent> stored,
        String source,
        @Nullable Instant updatedAt,
        boolean active,
        long row) {
    private static final Document<Agent> AGENT = Document.of(Agent.class);

    static AgentJson of(AgentRow row) {
        String source = row.projectId() == null ? "host" : "project";
        return new AgentJson(row.name(), row.stored(), source, row.updatedAt(), row.active(), row.version());
    }

    /** An agent of the installation; the reference to its key is not shown. */
    static AgentJson ofInstallation(Agent agent, String source) {
        return new AgentJson(agent.name(), new Valid<>(agent.withApiKeyRef(null)), source, null, true, 0);
    }

    /** Its document or what is wrong with it, and what the server knows about it. */
    @JsonValue
    JsonNode json() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        switch (stored) {
            case Valid<Agent>(Agent agent) -> {
                json.putAll(AGENT.write(agent));
                json.put("version", agent.version());
            }
            case Refused<Agent> refused -> {
                json.put("name", name);
                refused.describe(json, true);
            }
        }
        json.put("source", source);
        json.put("updatedAt", updatedAt == null ? null : updatedAt.toString());
        json.put("active", active);
        return JsonNode.from(json);
    }
}
