package dev.parley.schemas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Released schemas are frozen in {@code src/test/resources/released/{set}}: today's must read what all of them wrote.
 * {@code -Dparley.freeze={set}} freezes today's schemas as that set; only one that was never released can be frozen
 * again.
 */
class ReleasedSchemasTest {
    private static final Path RELEASED = Path.of("src/test/resources/released");
    private static final Path TODAY = Path.of("src/main/avro");
    private static final String IDS = "schema-ids.properties";

    @BeforeAll
    static void freezeWhenAsked() throws IOException {
        Integer set = Integer.getInteger("parley.freeze");
        if (set != null) {
            freeze(RELEASED.resolve(set.toString()));
        }
    }

    private static void freeze(Path target) throws IOException {
        if (Files.exists(target)) {
            try (Stream<Path> old = Files.walk(target)) {
                old.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(java.io.File::delete);
            }
        }
        for (Path file : files(TODAY)) {
            Path copy = target.resolve(TODAY.relativize(file));
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.copy(Path.of("src/main/resources/parley", IDS), target.resolve(IDS), StandardCopyOption.REPLACE_EXISTING);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(file -> file.toString().endsWith(".avsc"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    @Tag("O6")
    void currentSchemasReadRecordsOfAllReleasedOnes() throws IOException {
        var catalog = SchemaCatalog.bundled();
        int compared = 0;
        for (Frozen old : frozen()) {
            Schema today = catalog.current(old.schema().getName()).orElseThrow().schema();
            var result = SchemaCompatibility.checkReaderWriterCompatibility(today, old.schema());
            assertEquals(SchemaCompatibilityType.COMPATIBLE, result.getType(), old + ": " + result.getDescription());
            compared++;
        }
        assertTrue(compared >= 49);
    }

    @Test
    @Tag("O6")
    void idKeepsItsSchema() throws IOException {
        var catalog = SchemaCatalog.bundled();
        for (Frozen old : frozen()) {
            BundledSchema bundled = catalog.byId(old.id()).orElseThrow(() -> new AssertionError(old + " lost its id"));
            assertEquals(
                    old.schema(),
                    bundled.schema(),
                    old + " was changed: give the new schema a new id and freeze it as a new set (-Dparley.freeze)");
            assertEquals(old.version(), bundled.version(), old + " has another version");
        }
    }

    @Test
    void everySchemaWithAnIdIsFrozen() throws IOException {
        var frozen = frozen().stream().map(Frozen::id).toList();

        var loose = SchemaCatalog.bundled().all().stream()
                .filter(schema -> !frozen.contains(schema.id()))
                .toList();

        assertEquals(List.of(), loose.stream().map(BundledSchema::name).toList(), "freeze them with -Dparley.freeze");
    }

    @Test
    @Tag("O6")
    void incompatibleChangeIsDetected() {
        // Given
        Schema released =
                SchemaCatalog.bundled().current("CallProgress").orElseThrow().schema();
        var fields = new ArrayList<Schema.Field>();
        released.getFields().forEach(field -> fields.add(new Schema.Field(field, field.schema())));
        fields.add(new Schema.Field("host", Schema.create(Schema.Type.STRING)));
        Schema broken = Schema.createRecord("CallProgress", "", "dev.parley.avro", false, fields);

        // When
        var result = SchemaCompatibility.checkReaderWriterCompatibility(broken, released);

        // Then
        assertNotEquals(SchemaCompatibilityType.COMPATIBLE, result.getType());
    }

    private record Frozen(int set, int id, int version, Schema schema) {
        @Override
        public String toString() {
            return schema.getFullName() + " (id " + id + ", released set " + set + ")";
        }
    }

    private static List<Frozen> frozen() throws IOException {
        var schemas = new ArrayList<Frozen>();
        try (Stream<Path> sets = Files.list(RELEASED)) {
            for (Path set : sets.sorted().toList()) {
                schemas.addAll(frozen(Integer.parseInt(set.getFileName().toString()), set));
            }
        }
        assertFalse(schemas.isEmpty());
        return schemas;
    }

    /** The newest version of each name that had an id when the set was released. */
    private static List<Frozen> frozen(int set, Path folder) throws IOException {
        var ids = new Properties();
        try (Reader in = Files.newBufferedReader(folder.resolve(IDS))) {
            ids.load(in);
        }
        var newest = new TreeMap<String, Frozen>();
        var files = new SchemaFiles("released/" + set + "/");
        for (String id : ids.stringPropertyNames()) {
            String[] line = ids.getProperty(id).split(":");
            var frozen = new Frozen(set, Integer.parseInt(id), Integer.parseInt(line[1]), files.load(line[0]));
            newest.merge(line[0], frozen, (first, second) -> first.version() > second.version() ? first : second);
        }
        return List.copyOf(newest.values());
    }
}
