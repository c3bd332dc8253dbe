package dev.parley.control.permissions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.control.definitions.RuleRow;
import dev.parley.control.http.Documents;
import dev.parley.domain.document.Fault;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.Permissions;
import dev.parley.domain.permission.RuleDocument;
import dev.parley.domain.permission.Subject;
import dev.parley.platform.config.ConfigReader;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.document.Document;
import dev.parley.platform.document.InvalidDocumentException;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.testkit.InvalidDocuments;
import dev.parley.platform.testkit.InvalidDocuments.Invalid;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One document of a permission rule at all borders: a file, a request and an archive. */
class RuleBordersTest {
    private static final Document<RuleDocument> RULE = Document.of(RuleDocument.class);

    @TempDir
    Path folder;

    private static Map<String, Object> full() {
        return new LinkedHashMap<>(Map.of(
                "agent",
                "researcher",
                "tool",
                "web_fetch",
                "pattern",
                "https://example.org/**",
                "action",
                "deny",
                "locked",
                true));
    }

    private PermissionRule ofFile(Map<String, @Nullable Object> document) throws IOException {
        Path file = folder.resolve("parley.yml");
        Files.writeString(file, JsonMappers.yaml().writeValueAsString(Map.of("permissions", List.of(document))));
        return ConfigReader.read(Map.of("PARLEY_CONFIG", file.toString()))
                .permissions()
                .getFirst();
    }

    private static RuleDocument ofRequest(Map<String, @Nullable Object> document) {
        return Documents.read(RuleDocument.class, null, JsonNode.from(document));
    }

    private static RuleDocument ofArchive(Map<String, @Nullable Object> document) {
        return ArchivedRules.read(JsonNode.from(Map.of("id", new UUID(1, 2).toString(), "rule", document)));
    }

    @Test
    @Tag("B171")
    void aRuleIsTheSameAtAllBorders() throws IOException {
        // Given
        Map<String, @Nullable Object> document = new LinkedHashMap<>(full());

        // When
        RuleDocument requested = ofRequest(document);

        // Then
        assertEquals(requested, RuleDocument.of(ofFile(document)));
        assertEquals(requested, ofArchive(RULE.write(requested)));
        assertEquals(
                "**",
                ofRequest(new LinkedHashMap<>(Map.of("tool", "*", "action", "ask")))
                        .pattern());
    }

    static Stream<Invalid> invalid() {
        return Stream.concat(
                InvalidDocuments.of(RuleDocument.class, full()),
                Map.of("agent", "", "tool", "a b", "pattern", " ", "action", "ask", "expiresAt", "tomorrow")
                        .entrySet()
                        .stream()
                        .map(field -> new Invalid(
                                field.getKey().equals("action") ? "locked" : field.getKey(),
                                InvalidDocuments.with(full(), field.getKey(), field.getValue()))));
    }

    @ParameterizedTest
    @MethodSource("invalid")
    @Tag("B171")
    void aFaultIsTheSameAtAllBorders(Invalid invalid) {
        // Given
        Map<String, @Nullable Object> document = invalid.document();

        // When
        List<Fault> faults = assertThrows(InvalidDocumentException.class, () -> RULE.read(document))
                .faults();

        // Then
        Fault fault = faults.getFirst();
        assertEquals(List.of(invalid.field()), faults.stream().map(Fault::field).toList());
        assertEquals(fault.sentence(), refusal(() -> ofRequest(document)));
        assertEquals(fault.sentence(), refusal(() -> ofArchive(document)));
        assertEquals(
                "permissions[0].%s: %s".formatted(fault.field(), fault.problem()), refusal(() -> ofFile(document)));
    }

    @Test
    @Tag("B174")
    void aRowThatThisBuildRefusesIsListedAndDeniesAllCalls() {
        // Given a rule with an action of another build
        UUID id = new UUID(1, 2);
        var row = new RuleRow(id, id, null, null, "web_fetch", "**", "log", false, null, Instant.EPOCH, "ann");

        // When
        RuleJson listed = RuleJson.of(row);

        // Then
        assertEquals(List.of("host", "web_fetch", "log"), List.of(listed.level(), listed.tool(), listed.action()));
        assertEquals("The field 'action' must be allow, ask or deny. All calls are denied instead", listed.problem());
        assertThrows(InvalidDocumentException.class, row::toDefinition, "it is not published as it is");
        PermissionRule instead =
                CatalogueScope.denial("permission/" + id + "/" + id).rule();
        assertEquals(
                PermissionAction.DENY,
                Permissions.decide(
                                List.of(instead),
                                new Permissions.Call("a", "echo", "@read", Subject.NONE),
                                Instant.EPOCH)
                        .action());
    }

    private interface Border {
        Object read() throws IOException;
    }

    private static String refusal(Border border) {
        return String.valueOf(assertThrows(RuntimeException.class, border::read).getMessage());
    }
}
