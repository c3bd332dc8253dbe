package dev.parley.control.catalogue;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.control.definitions.CatalogueTable;
import dev.parley.control.definitions.DefinitionEntry;
import dev.parley.control.definitions.EndpointJson;
import dev.parley.control.definitions.SkillEntry;
import dev.parley.control.definitions.ToolJson;
import dev.parley.control.http.Documents;
import dev.parley.control.http.JsonColumns;
import dev.parley.domain.definition.Skill;
import dev.parley.domain.definition.SkillTool;
import dev.parley.domain.document.Fault;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.document.Document;
import dev.parley.platform.document.InvalidDocumentException;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.testkit.InvalidDocuments;
import dev.parley.platform.testkit.InvalidDocuments.Invalid;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** One document of a tool, a skill and an endpoint at all borders: a file of YAML, a request, an archive and a row. */
class CatalogueBordersTest {
    /** A kind, with a document in which no field has its default. */
    enum Kind {
        TOOL(ToolJson.class, CatalogueTable.TOOL, """
                name: full
                version: 1.2.0
                description: Says what the weather is like.
                type: rest
                enabled: false
                effect: reconcilable
                access: read
                timeout: 90s
                about: { kind: url, argument: town }
                parameters:
                  - { name: town, type: string, required: true, defaultValue: Ulm, description: A town., validation: { pattern: ^U } }
                responseSchema: { type: object }
                implementation: { url: "https://example.com/{town}", method: GET }
                """),
        TOOL_WITH_SCHEMA(ToolJson.class, CatalogueTable.TOOL, """
                name: full
                version: 1.2.0
                description: Adds.
                type: javascript
                enabled: false
                effect: idempotent
                access: write
                timeout: 500ms
                parametersSchema: { type: object, properties: { a: { type: number } } }
                implementation: { script: "input.a + 0.5", limits: [1, 2.50, null, true] }
                """),
        SKILL(SkillEntry.class, CatalogueTable.SKILL, """
                name: plan-trips
                version: 2.0.0-beta.1
                description: How to plan a trip.
                text: "# Trips\nLook at the weather first."
                enabled: false
                parent: office
                tools:
                  - { tool: weather, version: 1.0.0, access: read, arguments: { days: 3 }, locked: true }
                needs: [{ skill: base, required: false }]
                tags: [travel]
                category: office/travel
                """),
        ENDPOINT(EndpointJson.class, CatalogueTable.ENDPOINT, """
                name: weather
                description: The weather.
                url: https://api.example.com/v1
                methods: [POST]
                headers: { Accept: application/json }
                auth: { type: bearer, secret: "env:KEY" }
                allow: { roles: [admin], users: ["00000000-0000-0001-0000-000000000002"], projects: [shop] }
                enabled: false
                """);

        private final Class<? extends Record> type;
        private final CatalogueTable<?> table;
        private final String yaml;

        Kind(Class<? extends Record> type, CatalogueTable<?> table, String yaml) {
            this.type = type;
            this.table = table;
            this.yaml = yaml;
        }

        @SuppressWarnings("unchecked")
        Map<String, Object> full() {
            try {
                return JsonMappers.yaml().readValue(yaml, Map.class);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Requests and archives have one reader; files of YAML are sent as requests. */
        Record ofRequest(@Nullable String name, Map<String, @Nullable Object> document) {
            return Documents.readEntry(type, name, JsonNode.from(document));
        }

        DefinitionEntry ofRow(Map<String, @Nullable Object> document) throws IOException {
            return table.read(JsonMappers.stored().writeValueAsString(document)).require();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("B171")
    void aDefinitionIsTheSameAtAllBorders(Kind kind) throws IOException {
        // Given
        Map<String, Object> document = kind.full();

        // When
        Record requested = kind.ofRequest(null, new LinkedHashMap<>(document));

        // Then
        assertEquals(Document.of(kind.type).read(document), requested);
        assertEquals(requested, kind.ofRow(new LinkedHashMap<>(document)));
        assertEquals(requested, reread(kind.table, (DefinitionEntry) requested));
        var seen = new LinkedHashMap<String, @Nullable Object>(document);
        Object name = seen.remove("name");
        seen.put("source", "project");
        seen.put("updatedAt", "2026-01-01T00:00:00Z");
        seen.put("schema", Map.of("type", "object"));
        assertEquals(requested, kind.ofRequest(String.valueOf(name), seen), "what was read may be sent");
    }

    private static <B extends DefinitionEntry> DefinitionEntry reread(CatalogueTable<B> table, DefinitionEntry entry) {
        return table.read(JsonColumns.text(table.write(table.type().cast(entry))))
                .require();
    }

    @Test
    void theDocumentsHaveAllFields() {
        for (Kind kind : Kind.values()) {
            Set<String> fields = Stream.of(Kind.values())
                    .filter(other -> other.type == kind.type)
                    .flatMap(other -> other.full().keySet().stream())
                    .collect(Collectors.toSet());
            assertEquals(Set.copyOf(Document.of(kind.type).names()), fields, "so that each one is tested");
        }
    }

    record OfKind(Kind kind, Invalid invalid) {}

    static Stream<OfKind> invalid() {
        return Stream.of(Kind.values())
                .flatMap(kind -> Stream.concat(InvalidDocuments.of(kind.type, kind.full()), ofKind(kind))
                        .map(invalid -> new OfKind(kind, invalid)));
    }

    private static Stream<Invalid> ofKind(Kind kind) {
        Map<String, Object> fields = switch (kind) {
            case TOOL ->
                Map.of(
                        "name", "load_skill",
                        "version", "one",
                        "type", "odd",
                        "timeout", "11m",
                        "parametersSchema", Map.of("type", "object"),
                        "responseSchema", Map.of("type", "odd"),
                        "implementation", Map.of("x", 1),
                        "effect", "never");
            case TOOL_WITH_SCHEMA -> Map.of("parametersSchema", Map.of("type", "array"), "name", "a b");
            case SKILL -> Map.of("name", "a--b", "tools[0].version", "one", "category", "/a", "tags", List.of(" "));
            case ENDPOINT ->
                Map.of(
                        "url",
                        "https://a:p@example.com",
                        "methods",
                        List.of("BREW"),
                        "headers.Accept",
                        " ",
                        "auth.secret",
                        "sk-sentinel-endpoint",
                        "allow.roles",
                        List.of("king"),
                        "allow.users",
                        List.of());
        };
        return fields.entrySet().stream()
                .map(field -> new Invalid(
                        field.getKey(), InvalidDocuments.with(kind.full(), field.getKey(), field.getValue())));
    }

    @ParameterizedTest
    @MethodSource("invalid")
    @Tag("B171")
    void aFaultIsTheSameAtAllBorders(OfKind test) {
        // Given
        Kind kind = test.kind();
        Map<String, @Nullable Object> document = test.invalid().document();

        // When
        List<Fault> faults = assertThrows(
                        InvalidDocumentException.class,
                        () -> Document.of(kind.type).read(document))
                .faults();

        // Then
        String sentences = new InvalidDocumentException(faults).getMessage();
        assertTrue(faults.getFirst().field().startsWith(test.invalid().field()), sentences);
        assertEquals(sentences, refusal(() -> kind.ofRequest(null, document)));
        assertEquals(sentences, refusal(() -> kind.ofRow(document)));
    }

    @Test
    void allFaultsAreNamed() {
        // Given
        Map<String, @Nullable Object> document = new LinkedHashMap<>(Kind.TOOL.full());
        document.put("name", "load_skill");
        document.put("implementation", Map.of("endpoint", "weather", "headers", Map.of()));

        // Then
        assertEquals(
                List.of("name", "implementation.headers", "implementation.path"),
                assertThrows(
                                InvalidDocumentException.class,
                                () -> Document.of(ToolJson.class).read(document))
                        .faults()
                        .stream()
                        .map(Fault::field)
                        .toList());
    }

    @Test
    void theTopicRefusesTheSameSkills() {
        // Given
        Skill skill = new Skill("s", "1.0.0", "x", "", null, List.of(SkillTool.of("a")), List.of(), List.of(), null);

        // Then
        assertDoesNotThrow(() -> KafkaDefinitions.requireValid(skill));
        var invalid = new Skill("s", "1.0.0", "x".repeat(1_025), "", null, List.of(), List.of(), List.of(), null);
        String refusal = refusal(() -> {
            KafkaDefinitions.requireValid(invalid);
            return invalid;
        });
        assertTrue(refusal.endsWith("The field 'description' must have at most 1024 characters"), refusal);
    }

    private interface Border {
        Object read() throws IOException;
    }

    private static String refusal(Border border) {
        return String.valueOf(assertThrows(RuntimeException.class, border::read).getMessage());
    }
}
