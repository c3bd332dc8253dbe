package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds the tags of the tests against docs/behaviours.md, and prints which rows no test performs. */
class BehavioursTest {
    private static final Path ROOT =
            Path.of("").toAbsolutePath().resolve("../..").normalize();
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([A-Z]\\d+[a-z]?) \\|");
    private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+(?:Test|IT))(?:\\.(\\w+))?`");
    private static final Pattern TAG = Pattern.compile("@Tag\\(\"([^\"]+)\"\\)");

    @Test
    void everyTagNamesARowAndTheRowsWithoutATestAreKnown() throws IOException {
        Set<String> rows = found(ROW, Files.readString(ROOT.resolve("docs/behaviours.md")));
        var tags = new TreeSet<String>();
        for (String folder : new String[] {"schemas", "services"}) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                for (Path file : files.filter(path -> path.toString().contains("/src/test/")
                                && path.toString().endsWith(".java"))
                        .toList()) {
                    tags.addAll(found(TAG, Files.readString(file)));
                }
            }
        }
        var unknown = new TreeSet<>(tags);
        unknown.removeAll(rows);
        var untested = new TreeSet<>(rows);
        untested.removeAll(tags);
        System.out.printf(
                "%d of %d rows of docs/behaviours.md have a test; none yet: %s%n",
                rows.size() - untested.size(), rows.size(), untested);
        assertTrue(rows.size() > 100, "docs/behaviours.md was read");
        assertEquals(Set.of(), unknown, "tags that are no row");
    }

    @Test
    void testsThatAreNamedForSecurityExist() throws IOException {
        var sources = new HashMap<String, String>();
        try (Stream<Path> files = Files.walk(ROOT.resolve("services"))) {
            for (Path file : files.filter(path -> path.toString().contains("/src/test/")
                            && path.toString().endsWith(".java"))
                    .toList()) {
                sources.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
            }
        }
        var missing = new TreeSet<String>();
        NAMED.matcher(Files.readString(ROOT.resolve("docs/security.md")))
                .results()
                .forEach(named -> {
                    String source = sources.get(named.group(1));
                    if (source == null
                            || (named.group(2) != null && !source.contains("void " + named.group(2) + "("))) {
                        missing.add(named.group());
                    }
                });
        assertEquals(Set.of(), missing, "tests that docs/security.md names");
    }

    @Test
    @Tag("K21")
    void aCompilersWarningFailsTheBuild() throws IOException {
        String pom = Files.readString(ROOT.resolve("pom.xml"));

        assertTrue(pom.contains("<failOnWarning>true</failOnWarning>"));
        assertTrue(pom.contains("-Xlint:all"));
        assertTrue(!pom.contains("<maven.compiler.showWarnings>false") && !pom.contains("nowarn"));
    }

    private static Set<String> found(Pattern pattern, String text) {
        var found = new TreeSet<String>();
        pattern.matcher(text).results().forEach(match -> found.add(match.group(1)));
        return found;
    }
}
