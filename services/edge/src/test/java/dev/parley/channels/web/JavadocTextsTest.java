package dev.parley.channels.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JavadocTextsTest {
    private final ObjectMapper json = new ObjectMapper();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "List agents.     | 'List agents. By name,\n of a project.' | List agents | By name, of a project.",
                "'List\n agents.' | 'List\n agents. By name.'               | List agents | By name.",
                "List agents.     | List agents.                            | List agents | ''",
                "List agents      | List agents                             | List agents | ''",
                "List agents      | By name.                                | List agents | By name.",
                "List             | List of names.                          | List        | List of names.",
            })
    void separatesTheSummaryFromTheDescription(
            String summary, String description, String expectedSummary, String expectedDescription) {
        // Given
        ObjectNode document = json.createObjectNode();
        document.withObject("/paths/~1agents/get").put("summary", summary).put("description", description);

        // When
        JavadocTexts.format(document);

        // Then
        JsonNode operation = document.at("/paths/~1agents/get");
        assertEquals(expectedSummary, operation.path("summary").asText());
        assertEquals(expectedDescription, operation.path("description").asText());
    }

    @Test
    void leavesAPropertyThatIsCalledDescription() {
        // Given
        ObjectNode document = json.createObjectNode();
        document.withObject("/components/schemas/Bank/properties/description")
                .put("description", "What <code>it</code>\nholds.");

        // When
        JavadocTexts.format(document);

        // Then
        assertEquals(
                "What `it` holds.",
                document.at("/components/schemas/Bank/properties/description/description")
                        .asText());
    }

    @Test
    void textsOfResponsesHaveNoNumberOfAnOperationId() {
        // Given
        ObjectNode document = json.createObjectNode();
        ObjectNode operation = document.withObject("/paths/~1agents/delete").put("operationId", "delete_1");
        operation.withObject("/responses/204").put("description", "The agent was delete_1d.");

        // When
        JavadocTexts.format(document);

        // Then
        assertEquals("delete_1", operation.path("operationId").asText());
        assertEquals(
                "The agent was deleted.",
                operation.at("/responses/204/description").asText());
    }
}
