package dev.parley.platform.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.definition.Agent;
import dev.parley.platform.json.JsonMappers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DocumentSchemasTest {
    @Test
    void everyFieldOfADocumentIsDescribed() {
        // Given
        var openApi = JsonMappers.stored().createObjectNode();

        // When
        DocumentSchemas.addTo(openApi);

        // Then
        JsonNode schemas = openApi.at("/components/schemas");
        JsonNode agent = schemas.path("AgentDefinition");
        assertEquals(
                List.copyOf(Document.of(Agent.class)
                        .write(Agent.of("a", "scripted", "m", ""))
                        .keySet()),
                agent.path("properties").properties().stream()
                        .map(Map.Entry::getKey)
                        .toList());
        assertEquals("[\"name\",\"model\"]", agent.path("required").toString());
        for (String type : List.of("AgentDefinition", "AgentSkill", "Limits", "Guardrail")) {
            schemas.path(type)
                    .path("properties")
                    .forEach(field ->
                            assertFalse(field.path("description").asText().isEmpty(), type + field));
        }
        JsonNode bot = schemas.path("BotRequest").path("properties");
        bot.forEach(field -> assertFalse(field.path("description").asText().isEmpty(), field.toString()));
        assertTrue(bot.has("token") && bot.has("url") && !bot.has("project"), bot.toString());
        assertFalse(schemas.path("ProjectBot").path("properties").has("token"));
        assertEquals(2, agent.at("/properties/temperature/maximum").asInt());
        assertEquals(
                "#/components/schemas/Limits",
                agent.at("/properties/limits/$ref").asText());
    }
}
