package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds the tags of the tests against docs/behaviours.md. */
class BehavioursTest {
    private static final Path ROOT =
            Path.of("").toAbsolutePath().resolve("../..").normalize();
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([A-Z]\\d+[a-z]?) \\| .* \\| (\\w+) \\|$");
    private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+(?:Test|IT))(?:\\.(\\w+))?`");
    private static final Pattern TAG = Pattern.compile("@Tag\\(\"([^\"]+)\"\\)");

    /** How much of Parley a test runs. */
    private enum Level {
        MACHINE,
        MODULE,
        PROCESS;

        static Level of(Path test) {
            String name = test.getFileName().toString();
            if (!name.endsWith("IT.java") && !name.endsWith("Contract.java")) {
                return MACHINE;
            }
            return test.startsWith(ROOT.resolve("services/server")) ? PROCESS : MODULE;
        }
    }

    /** A row says by which kind of test it is shown: whoever makes that less, or more, says so there. */
    @Test
    void everyRowIsShownByTheTestsThatItSays() throws IOException {
        var shown = new TreeMap<String, String>();
        for (var test : tests().entrySet()) {
            Level level = Level.of(test.getKey());
            found(TAG, test.getValue()).forEach(row -> shown.merge(row, level.name(), BehavioursTest::higher));
        }
        var rows = new TreeMap<String, String>();
        ROW.matcher(Files.readString(ROOT.resolve("docs/behaviours.md")))
                .results()
                .forEach(row -> rows.put(row.group(1), row.group(2).toUpperCase(Locale.ROOT)));

        assertTrue(rows.size() > 100, "docs/behaviours.md was read");
        assertEquals(lines(shown), lines(rows), "rows of docs/behaviours.md, and tags of the tests");
    }

    private static String higher(String one, String other) {
        return Level.valueOf(one).compareTo(Level.valueOf(other)) > 0 ? one : other;
    }

    private static String lines(Map<String, String> rows) {
        return rows.entrySet().stream()
                .map(row -> row.getKey() + " " + row.getValue())
                .collect(Collectors.joining("\n"));
    }

    private static Map<Path, String> tests() throws IOException {
        var tests = new HashMap<Path, String>();
        for (String folder : List.of("schemas", "services")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                for (Path file : files.filter(path -> path.toString().contains("/src/test/")
                                && path.toString().endsWith(".java"))
                        .toList()) {
                    tests.put(file, Files.readString(file));
                }
            }
        }
        return tests;
    }

    @Test
    void testsThatAreNamedForSecurityExist() throws IOException {
        var sources = new HashMap<String, String>();
        tests().forEach((file, source) ->
                sources.put(file.getFileName().toString().replace(".java", ""), source));
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
