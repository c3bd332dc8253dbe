package dev.parley.channels.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostOperationsTest {
    private final ObjectMapper json = new ObjectMapper();

    @ParameterizedTest
    @CsvSource({
        "/v1/agents, listAgents, /v1/projects/{project}/agents, listAgents_1, listHostAgents, listAgents",
        "/v1/skill-tree, showTree_1, /v1/projects/{project}/skill-tree, showTree, showHostTree, showTree",
        "/v1/tools/{name}, showTool_1, /v1/projects/{project}/other/{name}, showTool, showTool_1, showTool",
        "/v1/sessions, open_1, /v1/projects/{project}/sessions, open, open_1, open",
    })
    void namesTheOperationOfTheHost(
            String path, String id, String projectPath, String projectId, String expected, String expectedInProject) {
        // Given
        ObjectNode document = json.createObjectNode();
        ObjectNode paths = document.putObject("paths");
        ObjectNode inHost = paths.putObject(path).putObject("get").put("operationId", id);
        ObjectNode inProject = paths.putObject(projectPath).putObject("get").put("operationId", projectId);

        // When
        HostOperations.name(document);

        // Then
        assertEquals(expected, inHost.path("operationId").asText());
        assertEquals(expectedInProject, inProject.path("operationId").asText());
    }
}
