package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.server.Api.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Definitions that another build has stored and this one refuses, in a complete server process. */
class RefusedDefinitionsIT {
    @TempDir
    static Path folder;

    private static Servers servers;
    private static Instance instance;
    private static Api api;

    /** A kind of definition in JSON, with a valid document and a field that no build accepts. */
    enum Kind {
        AGENT(
                "agents",
                "agent_definition_t",
                Map.of("prompt", "Be brief.", "model", "scripted/scripted"),
                "temperature"),
        TOOL(
                "tools",
                "tool_t",
                Map.of(
                        "description", "Adds.",
                        "type", "javascript",
                        "version", "1.0.0",
                        "implementation", Map.of("script", "1")),
                "timeout"),
        SKILL("skills", "skill_t", Map.of("description", "Trips.", "text", "Look.", "version", "1.0.0"), "category"),
        ENDPOINT("endpoints", "endpoint_t", Map.of("url", "https://api.example.com/v1"), "url");

        private final String path;
        private final String table;
        private final Map<String, Object> fields;
        private final String refusedField;

        Kind(String path, String table, Map<String, Object> fields, String refusedField) {
            this.path = path;
            this.table = table;
            this.fields = fields;
            this.refusedField = refusedField;
        }

        /** Where they are; endpoints are only of hosts. */
        String route() {
            return this == ENDPOINT ? "/v1/endpoints" : "/v1/projects/default/" + path;
        }

        Map<String, Object> document(String name) {
            var document = new HashMap<>(fields);
            document.put("name", name);
            return document;
        }
    }

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(folder.resolve("parley.yml"), "{}");
        servers = new Servers(folder);
        instance = Instances.start(servers.environment("one", 1));
        api = Api.of(instance);
        api.signUp("boss"); // the first one is administrator
    }

    @AfterAll
    static void stop() {
        instance.close();
        servers.close();
    }

    private static JsonNode listed(Kind kind, String name) {
        return Api.rows(api.get(kind.route())).stream()
                .filter(row -> row.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The routes are those of the console's pages. */
    @ParameterizedTest
    @EnumSource
    @Tag("B174")
    void aRefusedDefinitionIsListedReplacedAndDeleted(Kind kind) throws SQLException {
        // Given three definitions, of which another build has written two
        for (String name : List.of("fine", "odd", "strange")) {
            api.create(kind.route(), kind.document(name));
        }
        try (Connection connection = servers.superuser();
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    UPDATE control.%1$s SET body = body || '{"%2$s": {"a": 1}, "ofANewerBuild": true}'
                    WHERE name IN ('odd', 'strange')
                    """.formatted(kind.table, kind.refusedField));
        }

        // When
        JsonNode refused = listed(kind, "odd");

        // Then
        assertFalse(listed(kind, "fine").hasNonNull("problem"), "the others are as they were");
        assertEquals(
                List.of("ofANewerBuild", kind.refusedField),
                refused.path("errors").findValuesAsText("field"),
                refused.toString());
        assertTrue(refused.path("problem").asText().contains("'ofANewerBuild' is unknown"), refused.toString());
        assertTrue(refused.path("stored").path("ofANewerBuild").asBoolean(), "its definers see what is stored");
        Answer shown = api.get(kind.route() + "/odd");
        assertEquals(200, shown.status(), shown.text());
        assertEquals(refused.path("problem"), shown.json().path("problem"));

        // When
        Answer replaced = api.send(
                "PUT", kind.route() + "/odd", kind.document("odd"), Map.of("If-Match", String.valueOf(shown.etag())));
        Answer deleted = api.delete(kind.route() + "/strange?version=1.0.0");

        // Then
        assertEquals(200, replaced.status(), replaced.text());
        assertEquals(204, deleted.status(), deleted.text());
        assertFalse(listed(kind, "odd").hasNonNull("problem"));
        assertEquals(404, api.get(kind.route() + "/strange").status());
    }
}
