package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Readers of texts that can cost more than their bytes are made in few places, which bound them. */
class BoundedReadersTest {
    private static final Path SERVICES = Path.of("..");

    /** What makes a reader of JSON, YAML or XML, or inflates. */
    private static final Pattern READER = Pattern.compile(
            "new (?:[a-z.]+\\.)?(?:ObjectMapper|JsonMapper|YAMLMapper|CsvMapper)\\((?!Json(?:Bounds|Mappers)|yamlFactory)|new"
                    + " (?:[a-z.]+\\.)?(?:JsonFactory|YAMLFactory|CBORFactory|Yaml)\\("
                    + "|(?<!\\.json\\.)\\b(?:JsonFactory|YAMLFactory|LoadSettings)\\.builder\\("
                    + "|\\bJsonMapper\\.(?:shared|builder)\\((?!JsonBounds)"
                    + "|\\b(?:ObjectMapper|JsonMapper)\\.(?:create|createDefault|getDefault)\\("
                    + "|(?:DocumentBuilder|SAXParser)Factory\\.new|XMLInputFactory\\.new|new"
                    + " (?:GZIPInputStream|ZipInputStream|InflaterInputStream|ZipFile)\\(");

    /** Each says itself what bounds it. */
    private static final Set<String> KNOWN = Set.of(
            "JsonMappers.java", // makes them
            "YamlText.java", // definitions of workflows: characters, values with aliases, depth
            "Archive.java", // entries by BoundedInput
            "ArchiveClient.java", // the command that exports: a file of its own
            "EvalConversation.java", // a command: a file of its operator
            "FilesPart.java"); // line by line, each bounded

    @Test
    @Tag("B35")
    void readersAreMadeInFewPlaces() throws IOException {
        var found = new TreeSet<String>();
        try (Stream<Path> files = Files.walk(SERVICES)) {
            List<Path> sources = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("/src/main/java/"))
                    .toList();
            assertTrue(sources.size() > 1_000, "the sources are found");
            for (Path file : sources) {
                if (READER.matcher(Files.readString(file)).find()) {
                    found.add(file.getFileName().toString());
                }
            }
        }
        assertEquals(new TreeSet<>(KNOWN), found);
    }
}
