package dev.parley.schemas;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SchemaCatalogTest {
    private final SchemaCatalog catalog = SchemaCatalog.bundled();

    @Test
    void findsASchemaByIdNameAndReference() {
        BundledSchema accepted = catalog.current("TurnAccepted").orElseThrow();

        assertEquals("dev.parley.avro.TurnAccepted", accepted.name());
        assertEquals(Optional.of(accepted), catalog.byId(accepted.id()));
        assertEquals(Optional.of(accepted), catalog.byReference(accepted.reference()));
        assertEquals(Optional.empty(), catalog.byId(4711));
        assertEquals(Optional.empty(), catalog.current("Text"), "what only stands inside others has no id");
        assertEquals(
                Optional.empty(), catalog.byReference("urn:parley:schema:" + accepted.name() + ":0123456789abcdef"));
    }

    @Test
    @Tag("O9")
    void everySchemaIsSelfContained() {
        for (BundledSchema bundled : catalog.all()) {
            Schema alone = new Schema.Parser().parse(bundled.schema().toString());

            assertEquals(bundled.schema(), alone);
            assertEquals(bundled.fingerprint(), BundledSchema.fingerprint(alone));
        }
    }

    @Test
    void idsAreUnique() throws IOException {
        var lines = Files.readAllLines(Path.of("src/main/resources/parley/schema-ids.properties")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();

        assertEquals(lines.size(), catalog.all().size());
        assertEquals(
                lines.size(),
                Set.copyOf(lines.stream().map(line -> line.split("=")[1]).toList())
                        .size());
    }

    @Test
    void everyTypeIsDocumentedAndCompatible() {
        Set<String> names = new HashSet<>();
        catalog.all().forEach(bundled -> assertWellMade(bundled.schema(), names));
        assertTrue(names.size() > 80, "types: " + names.size());
    }

    private static void assertWellMade(Schema schema, Set<String> names) {
        switch (schema.getType()) {
            case RECORD -> {
                if (names.add(schema.getFullName())) {
                    assertDocumented(schema.getFullName(), schema.getDoc());
                    schema.getFields().forEach(field -> assertWellMade(schema, field, names));
                }
            }
            case ENUM -> {
                names.add(schema.getFullName());
                assertDocumented(schema.getFullName(), schema.getDoc());
                assertNotNull(schema.getEnumDefault(), schema.getFullName() + " has no default symbol");
            }
            case ARRAY -> assertWellMade(schema.getElementType(), names);
            case MAP -> assertWellMade(schema.getValueType(), names);
            case UNION -> schema.getTypes().forEach(branch -> assertWellMade(branch, names));
            default -> {}
        }
    }

    private static void assertWellMade(Schema record, Schema.Field field, Set<String> names) {
        String name = record.getFullName() + "." + field.name();
        assertAll(
                () -> assertDocumented(name, field.doc()),
                () -> assertEquals(
                        field.schema().isNullable(),
                        field.hasDefaultValue() && field.defaultVal() == JsonProperties.NULL_VALUE,
                        name + ": exactly what may be null has null as its default"),
                () -> assertWellMade(field.schema(), names));
    }

    private static void assertDocumented(String name, String doc) {
        assertTrue(doc != null && doc.endsWith(".") && doc.length() > 8, name + " is not documented");
    }

    @Test
    void everySchemaFileIsUsed() throws IOException {
        Set<String> used = new HashSet<>();
        catalog.all().forEach(bundled -> collect(bundled.schema(), used));
        try (var files = Files.walk(Path.of("src/main/avro"))) {
            List<String> unused = files.map(Path::getFileName)
                    .map(Path::toString)
                    .filter(name -> name.endsWith(".avsc"))
                    .map(name -> name.replace(".avsc", ""))
                    .filter(name -> !used.contains(name))
                    .toList();
            assertEquals(List.of(), unused);
        }
    }

    private static void collect(Schema schema, Set<String> names) {
        switch (schema.getType()) {
            case RECORD -> {
                names.add(schema.getName());
                schema.getFields().forEach(field -> collect(field.schema(), names));
            }
            case ENUM -> names.add(schema.getName());
            case ARRAY -> collect(schema.getElementType(), names);
            case MAP -> collect(schema.getValueType(), names);
            case UNION -> schema.getTypes().forEach(branch -> collect(branch, names));
            default -> {}
        }
    }
}
