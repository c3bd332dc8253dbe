package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Finds classes that only tests use. */
class ClassesTest {
    private static final Path ROOT =
            Path.of("").toAbsolutePath().resolve("../..").normalize();
    private static final Pattern WORD = Pattern.compile("\\w+");

    /** Classes that Micronaut finds by annotation need no reference. */
    private static final Pattern FOUND_BY_MICRONAUT = Pattern.compile("@(Singleton|Controller|Factory|ServerFilter"
            + "|ServerWebSocket|Context|ContextConfigurer|JdbcRepository)\\b");

    @Test
    void everyClassIsReferencedOrFoundByMicronaut() throws IOException {
        // Given
        Map<Path, String> sources = sources();
        var namedBy = new HashMap<String, Set<Path>>();
        sources.forEach((file, text) -> WORD.matcher(text)
                .results()
                .forEach(word -> namedBy.computeIfAbsent(word.group(), _ -> new HashSet<>())
                        .add(file)));

        // When
        List<Path> unused = sources.keySet().stream()
                .filter(file -> file.toString().endsWith(".java") && !file.endsWith("package-info.java"))
                .filter(file -> Set.of(file).equals(namedBy.get(name(file))))
                .filter(file -> !FOUND_BY_MICRONAUT.matcher(sources.get(file)).find())
                .sorted()
                .map(ROOT::relativize)
                .toList();

        // Then
        assertTrue(sources.size() > 1_000, "the sources were read");
        assertEquals(List.of(), unused, "used by tests alone: move them there, or delete them with their tests");
    }

    private static String name(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    private static Map<Path, String> sources() throws IOException {
        var sources = new HashMap<Path, String>();
        try (Stream<Path> files = Files.walk(ROOT.resolve("services"))) {
            files.filter(file -> file.toString().contains("/src/main/") && Files.isRegularFile(file))
                    .filter(file -> !file.toString().contains("/target/"))
                    .forEach(file -> sources.put(file, read(file)));
        }
        return sources;
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
