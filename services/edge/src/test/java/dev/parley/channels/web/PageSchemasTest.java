package dev.parley.channels.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class PageSchemasTest {
    @Test
    void aPageIsNamedAfterItsItems() throws IOException {
        // Given
        String part = """
                {"paths": {"/a": {"schema": {"$ref": "#/components/schemas/Page"}},
                           "/b": [{"schema": {"$ref": "#/components/schemas/Page_1"}}]},
                 "components": {"schemas": {"Agent": {"type": "object"}, "Bank": {"type": "object"},
                   "Page": {"properties": {"data": {"items": {"$ref": "#/components/schemas/Agent"}}}},
                   "Page_1": {"properties": {"data": {"items": {"$ref": "#/components/schemas/Bank"}}}},
                   "Page_2": {"properties": {"data": {"items": {"type": "string"}}}}}}}
                """;
        var json = new ObjectMapper();
        var document = (ObjectNode) json.readTree(part);

        // When
        PageSchemas.name(document);

        // Then
        assertEquals(
                json.readTree(part.replace("/Page_1\"", "/PageOfBank\"")
                        .replace("/Page\"", "/PageOfAgent\"")
                        .replace("\"Page_1\"", "\"PageOfBank\"")
                        .replace("\"Page\"", "\"PageOfAgent\"")),
                document);
    }
}
