package dev.parley.channels.a2a;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.definition.Skill;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Agent cards of A2A. */
class CardsTest {
    private static final String URL = "https://parley.example/a2a/default/ann";

    private static JsonNode card(A2aVersion dialect) {
        var skill = new Skill("sums", "1", "Adds numbers", "text", null, List.of(), List.of(), List.of("maths"), null);
        return AgentCards.card(dialect, "ann", "7", "", URL, List.of(skill));
    }

    @Test
    @Tag("D30")
    void cardsOfEachVersionDeclareTheSupportedInterfaces() {
        // When
        JsonNode old = card(A2aVersion.V0_3);
        JsonNode now = card(A2aVersion.V1_0);

        // Then
        assertEquals("0.3.0", old.get("protocolVersion").asText());
        assertEquals(URL, old.get("url").asText());
        assertEquals("http", old.at("/securitySchemes/bearer/type").asText());
        assertFalse(old.has("supportedInterfaces"));
        assertEquals("1.0", now.at("/supportedInterfaces/0/protocolVersion").asText());
        assertEquals(
                "HTTP+JSON", now.at("/supportedInterfaces/1/protocolBinding").asText());
        assertEquals("0.3", now.at("/supportedInterfaces/2/protocolVersion").asText());
        assertEquals(
                "Bearer",
                now.at("/securitySchemes/bearer/httpAuthSecurityScheme/scheme").asText());
        assertFalse(now.has("protocolVersion"));
        assertFalse(now.at("/capabilities/pushNotifications").asBoolean(true));
        for (JsonNode card : List.of(old, now)) {
            assertEquals("The agent ann.", card.get("description").asText());
            assertEquals("7", card.get("version").asText());
            assertEquals("maths", card.at("/skills/1/tags/0").asText());
            assertEquals("agent", card.at("/skills/0/tags/0").asText());
        }
    }
}
