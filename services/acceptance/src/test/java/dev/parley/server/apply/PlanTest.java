package dev.parley.server.apply;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.server.client.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanTest {
    @TempDir
    Path folder;

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text.replace('\'', '"'));
    }

    @Test
    void listsChangesByField() throws IOException {
        // Given
        var present = Map.of(
                "a",
                        json(
                                "{'name':'a','version':'1','prompt':'x','limits':{'maxSteps':20,'keep':10},'options':{'stop':'.'}}"),
                "b", json("{'name':'b','version':'1','prompt':'x'}"),
                "gone", json("{'name':'gone'}"));
        var desired = Map.of(
                "a", json("{'name':'a','version':'2','prompt':'y','limits':{'maxSteps':3,'keep':10},'options':{}}"),
                "b", json("{'name':'b','version':'2','prompt':'x'}"),
                "new", json("{'name':'new'}"));

        // Then
        String changes = """
                ~ a
                    limits.maxSteps: 20 → 3
                    options.stop: "." → null
                    prompt: "x" → "y"
                = b
                """;
        assertEquals(changes + "+ new\n", Plan.of(present, desired, false).text());
        assertEquals(
                changes + "- gone\n+ new\n", Plan.of(present, desired, true).text());
        assertTrue(Plan.of(present, Map.of("b", json("{'name':'b','prompt':'x'}")), false)
                .isEmpty());
    }

    @Test
    void comparesNumbersByValue() throws IOException {
        var present = Map.of("a", json("{'n':10000000,'m':1.0}"));
        assertTrue(
                Plan.of(present, Map.of("a", json("{'n':1.0E7,'m':1}")), false).isEmpty());
        assertEquals(
                false,
                Plan.of(present, Map.of("a", json("{'n':10000001,'m':1}")), false)
                        .isEmpty());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            'model: a/b\nprompt: [x'         | poet.yaml:2:
            'model: a/b\nmodel: a/c'         | poet.yaml:2: Duplicate field 'model'
            'just a text'                    | poet.yaml:1: must have fields
            '\n'                             | poet.yaml:1: must have fields
            'name: x\nmodel: a/b\n---\nb: c' | poet.yaml:
            'name: same\nmodel: a/b'         | same.yml: there is an agent 'same' in
            """)
    void reportsInvalidAgentFilesWithTheirLine(String yaml, String problem) throws IOException {
        // Given
        Path agents = Files.createDirectory(folder.resolve("agents"));
        Files.writeString(agents.resolve("poet.yaml"), yaml);
        Files.writeString(agents.resolve("same.yml"), "model: a/b");

        // Then
        var refused = assertThrows(CommandException.class, () -> DefinitionFile.in(folder, DefinitionKind.AGENT));
        assertTrue(refused.getMessage().contains(problem), refused.getMessage());
    }
}
