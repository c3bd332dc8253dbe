package dev.parley.schemas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaFormatter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code schemas/bundled} has the schemas for generators of code, which do not look into other files: each record of a
 * topic complete, to which {@code asyncapi.yaml} refers, and all their types once in {@code parley.avsc}. {@code
 * -Dparley.bundles=write} writes them anew.
 */
@Tag("B112")
class SchemaBundlesTest {
    private static final Path FOLDER = Path.of("bundled");
    private static final Path RECORDS = FOLDER.resolve("records");
    private static final Pattern REFERENCE = Pattern.compile("\\./bundled/records/(\\w+)\\.avsc");

    @Test
    void bundlesAreThoseOfTheSchemas() throws IOException {
        Map<Path, String> expected = bundles();
        if ("write".equals(System.getProperty("parley.bundles"))) {
            write(expected);
        }

        assertEquals(expected, written());
    }

    /** As {@code avro-tools compile schema schemas/bundled} reads the folder. */
    @Test
    void oneFileDefinesEachTypeOnce() throws IOException {
        Schema all = new Schema.Parser().parse(Files.readString(FOLDER.resolve("parley.avsc")));

        assertEquals(records(), all.getTypes());
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertEquals(
                    List.of(FOLDER.resolve("parley.avsc")),
                    files.filter(Files::isRegularFile).toList());
        }
    }

    @Test
    void eachRecordIsComplete() throws IOException {
        for (Schema record : records()) {
            String text = Files.readString(RECORDS.resolve(record.getName() + ".avsc"));

            assertEquals(record, new Schema.Parser().parse(text), record.getName());
        }
    }

    private static Map<Path, String> bundles() throws IOException {
        var bundles = new TreeMap<Path, String>();
        List<Schema> records = records();
        assertTrue(records.size() > 100, records.size() + " records");
        records.forEach(record -> bundles.put(
                RECORDS.resolve(record.getName() + ".avsc"), SchemaFormatter.format("json/pretty", record) + "\n"));
        bundles.put(
                FOLDER.resolve("parley.avsc"),
                SchemaFormatter.format("json/pretty", Schema.createUnion(records)) + "\n");
        return bundles;
    }

    /** The records to which {@code asyncapi.yaml} refers, in order of name. */
    private static List<Schema> records() throws IOException {
        return REFERENCE
                .matcher(Files.readString(Path.of("asyncapi.yaml")))
                .results()
                .map(reference -> SchemaCatalog.bundled()
                        .current(reference.group(1))
                        .orElseThrow()
                        .schema())
                .distinct()
                .sorted(Comparator.comparing(Schema::getName))
                .toList();
    }

    private static Map<Path, String> written() throws IOException {
        var texts = new TreeMap<Path, String>();
        try (Stream<Path> files = Files.walk(FOLDER)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                texts.put(file, Files.readString(file));
            }
        }
        return texts;
    }

    private static void write(Map<Path, String> bundles) throws IOException {
        Files.createDirectories(RECORDS);
        for (Path old : written().keySet()) {
            Files.delete(old);
        }
        for (var bundle : bundles.entrySet()) {
            Files.writeString(bundle.getKey(), bundle.getValue());
        }
    }
}
