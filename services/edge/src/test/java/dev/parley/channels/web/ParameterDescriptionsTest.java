package dev.parley.channels.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParameterDescriptionsTest {
    private final ObjectMapper json = new ObjectMapper();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/sessions/{key}/turns | query | limit | Maximum number of items on the page.",
                "/v1/sessions/{key}/turns | path | key | Key of the session.",
                "/v1/processes/{id} | path | id | Id of the process.",
                "/v1/dead-letters/{id} | path | id | Id of the dead letter.",
                "/v1/topics/{topic}/records/{id} | path | id | 'Position of the record: partition and offset, as in"
                        + " 0-42.'",
            })
    void describesParametersByPlaceNameAndPath(String path, String in, String name, String expected)
            throws IOException {
        ObjectNode document = document(path, in, name);

        new ParameterDescriptions().addTo(document);

        assertEquals(expected, description(document, path));
    }

    @ParameterizedTest
    @CsvSource({"limit", "unheard-of"})
    void keepsOwnDescriptionsAndUnknownParameters(String name) throws IOException {
        // Given
        ObjectNode document = document("/v1/things", "query", name);
        if (name.equals("limit")) {
            ((ObjectNode) document.at("/paths/~1v1~1things/get/parameters/0")).put("description", "Own text.");
        }

        // When
        new ParameterDescriptions().addTo(document);

        // Then
        assertEquals(name.equals("limit") ? "Own text." : "", description(document, "/v1/things"));
    }

    @ParameterizedTest
    @CsvSource({"path, false", "query, true"})
    void aPartOfThePathIsNeverNull(String in, boolean nullable) throws IOException {
        // Given
        ObjectNode document = document("/v1/projects/{project}/agents", in, "project");
        ObjectNode parameter = (ObjectNode) document.findValue("parameters").path(0);
        parameter.putObject("schema").put("type", "string").put("nullable", true);

        // When
        new ParameterDescriptions().addTo(document);

        // Then
        assertEquals(nullable, parameter.path("schema").has("nullable"));
    }

    private ObjectNode document(String path, String in, String name) {
        ObjectNode document = json.createObjectNode();
        document.putObject("paths")
                .putObject(path)
                .putObject("get")
                .putArray("parameters")
                .addObject()
                .put("in", in)
                .put("name", name);
        return document;
    }

    private static String description(ObjectNode document, String path) {
        return document.path("paths")
                .path(path)
                .path("get")
                .path("parameters")
                .path(0)
                .path("description")
                .asText();
    }

    @Test
    @Tag("B116")
    void saysWhereAVersionIsRequired() throws IOException {
        // Given
        var document = (ObjectNode) new ObjectMapper().readTree("""
            {"paths": {"/v1/things/{thing}": {
              "put": {"description": "Replaces it. Requires If-Match with the ETag that was read.",
                "parameters": [{"in": "header", "name": "If-Match"}], "responses": {"200": {"description": "It."}}},
              "delete": {"description": "Deletes it.", "parameters": [{"in": "header", "name": "If-Match"}]}}}}\
            """);

        // When
        new ParameterDescriptions().addTo(document);

        // Then
        var thing = document.path("paths").path("/v1/things/{thing}");
        assertTrue(thing.at("/put/parameters/0/required").asBoolean());
        assertEquals(Set.of("200", "412", "428"), names(thing.at("/put/responses")));
        assertFalse(thing.at("/delete/parameters/0/required").asBoolean());
    }

    private static Set<String> names(JsonNode object) {
        return object.properties().stream().map(Map.Entry::getKey).collect(Collectors.toSet());
    }
}
