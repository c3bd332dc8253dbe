package dev.parley.platform.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.json.JsonMappers;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonSchemaTest {
    private static String json(String text) {
        return text.replace('\'', '"');
    }

    private static String refused(String schema) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, () -> JsonSchema.of(json(schema)))
                .getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"^(a|aa)+\\\\1b$", "(?=a)b", "((a{999}){999}){999}"})
    void rejectsPatternsThatMayNotTerminateInTime(String pattern) {
        assertTrue(refused("{'properties':{'a':{'pattern':'" + pattern + "'}}}").contains("regular expression"));
    }

    @Test
    void matchesPatternsWithoutBacktracking() {
        JsonSchema schema = JsonSchema.of(json("{'properties':{'a':{'pattern':'^.*.*.*.*.*.*=$'}}}"));
        String long400 = "x".repeat(400);
        assertTimeoutPreemptively(
                Duration.ofSeconds(5),
                () -> assertEquals(
                        1, schema.errors(json("{'a':'" + long400 + "'}")).size()));
    }

    @Test
    void rejectsExplodingCyclicAndUnknownReferences() {
        String chain = IntStream.range(0, 25)
                .mapToObj(i -> "'a%d':{'allOf':[{'$ref':'#/$defs/a%d'},{'$ref':'#/$defs/a%2$d'}]}".formatted(i, i + 1))
                .collect(Collectors.joining(","));
        assertTrue(refused("{'$ref':'#/$defs/a0','$defs':{" + chain + ",'a25':{}}}")
                .contains("too big"));
        assertTrue(refused("{'properties':{'a':{'allOf':[{'$ref':'#'},{'$ref':'#'}]}}}")
                .contains("refers to itself"));
        assertTrue(refused("{'properties':{'a':{'$ref':'#/$defs/none'}}}").contains("does not exist"));
        assertTrue(refused("{'properties':{'a':{'$dynamicRef':'#a'}}}").contains("$dynamicRef"));
    }

    @Test
    void acceptsARecursiveSchema() {
        JsonSchema list = JsonSchema.of(json("{'properties':{'value':{'type':'integer'},'next':{'$ref':'#'}}}"));
        assertEquals(List.of(), list.errors(json("{'value':1,'next':{'value':2}}")));
        assertEquals(1, list.errors(json("{'value':1,'next':{'value':'two'}}")).size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'object','required':'x'}",
                "{'type':'object','properties':5}",
                "{'type':'array'}",
                "{'properties':{}}",
                "{'type':'object','anyOf':[{}]}",
                "[]",
                "5"
            })
    void rejectsArgumentSchemasThatAreNotOfAnObject(String schema) {
        assertThrows(IllegalArgumentException.class, () -> JsonSchema.ofArguments(json(schema)));
    }

    @Test
    @Tag("A24")
    void completesMissingPropertiesWithDefaults() {
        // Given
        JsonSchema schema = JsonSchema.ofArguments(
                json(
                        "{'type':'object','properties':{'a':{'default':1},'b':{'default':{'c':[]}},'d':{'default':null},'e':{}}}"));
        var value = (ObjectNode) JsonMappers.tree(json("{'a':5}"));

        // When
        schema.complete(value);

        // Then
        assertEquals(json("{'a':5,'b':{'c':[]},'d':null}"), value.toString());
    }
}
