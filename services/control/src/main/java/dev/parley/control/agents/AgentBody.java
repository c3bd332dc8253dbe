package dev.parley.control.agents;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;

/** Request body that defines an agent: its document, which {@link AgentRequests} reads. */
@Serdeable
@Schema(name = "AgentDefinition") // DocumentSchemas has its fields
record AgentBody(@Schema(hidden = true) JsonNode document) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    AgentBody {}
}
