package dev.parley.domain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Packages depend on each other in one direction only. */
class PackageDependenciesTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/parley/domain");

    /** Each may depend on those before it. */
    private static final List<String> PACKAGES = List.of(
            "json",
            "audit",
            "budget",
            "content",
            "permission",
            "bank",
            "definition",
            "access",
            "protocol",
            "workflow",
            "erasure",
            "memory",
            "session",
            "turn",
            "proof");

    @Test
    void packagesDependOnlyOnEarlierOnes() throws IOException {
        for (int i = 0; i < PACKAGES.size(); i++) {
            List<String> laterPackages = PACKAGES.subList(i + 1, PACKAGES.size());
            Pattern wrong = Pattern.compile("import (?:static )?dev\\.parley\\.domain\\.(?:%s)\\..*"
                    .formatted(laterPackages.isEmpty() ? "none" : String.join("|", laterPackages)));
            try (Stream<Path> files = Files.walk(SOURCES.resolve(PACKAGES.get(i)))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    List<String> found = Files.readAllLines(file).stream()
                            .filter(wrong.asMatchPredicate())
                            .toList();
                    assertEquals(List.of(), found, file.toString());
                }
            }
        }
    }
}
