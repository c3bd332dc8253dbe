package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares the tags of the tests with docs/behaviours.md. {@code -Dparley.behaviours=write} writes the last two columns
 * of the document from the tags.
 */
class BehavioursTest {
    private static final Path ROOT =
            Path.of("").toAbsolutePath().resolve("../..").normalize();
    private static final Path DOCUMENT = ROOT.resolve("docs/behaviours.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([A-Z]\\d+[a-z]?) \\| (.*) \\| (\\w+) \\| (.*) \\|$");
    private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+(?:Test|IT))(?:\\.(\\w+))?`");
    private static final Pattern TAG = Pattern.compile("@Tag\\(\"([^\"]+)\"\\)");

    /** How much of Parley a test runs, in descending order. */
    private enum Level {
        PROCESS,
        MODULE,
        MACHINE;

        static Level of(Path test) {
            String name = test.getFileName().toString();
            if (!name.endsWith("IT.java") && !name.endsWith("Contract.java")) {
                return MACHINE;
            }
            return test.startsWith(ROOT.resolve("services/acceptance")) ? PROCESS : MODULE;
        }
    }

    /** A file of tests, and the number of its tags that name a row. */
    private record TaggedTest(Path test, long tags) {
        Level level() {
            return Level.of(test);
        }

        String link() {
            return "[%s](../%s)".formatted(test.getFileName().toString().replace(".java", ""), ROOT.relativize(test));
        }
    }

    @Test
    void everyBehaviourNamesItsTests() throws IOException {
        // When
        Map<String, List<TaggedTest>> testsByRow = testsByRow();
        String document = Files.readString(DOCUMENT);
        String expected = ROW.matcher(document)
                .replaceAll(row -> Matcher.quoteReplacement(
                        row(row.group(1), row.group(2), testsByRow.getOrDefault(row.group(1), List.of()))));
        if ("write".equals(System.getProperty("parley.behaviours"))) {
            Files.writeString(DOCUMENT, expected);
            return;
        }
        Set<String> rows = found(ROW, document);

        // Then
        assertTrue(rows.size() > 100, "docs/behaviours.md was read");
        assertEquals(testsByRow.keySet(), rows, "tags of the tests, and rows of docs/behaviours.md");
        assertEquals(
                lines(expected),
                lines(document),
                "run ./mvnw -pl services/acceptance -am test -Dtest=BehavioursTest -Dparley.behaviours=write"
                        + " -Dsurefire.failIfNoSpecifiedTests=false");
    }

    /** The row with a link to the file with most tags at each of the two highest levels. */
    private static String row(String id, String behaviour, List<TaggedTest> tests) {
        String level =
                tests.isEmpty() ? "none" : tests.getFirst().level().name().toLowerCase(Locale.ROOT);
        String links = Stream.of(Level.values())
                .flatMap(testLevel ->
                        tests.stream().filter(test -> test.level() == testLevel).limit(1))
                .limit(2)
                .map(TaggedTest::link)
                .collect(Collectors.joining(", "));
        return "| %s | %s | %s | %s |".formatted(id, behaviour, level, links);
    }

    private static Map<String, List<TaggedTest>> testsByRow() throws IOException {
        var testsByRow = new TreeMap<String, List<TaggedTest>>();
        tests().forEach((test, source) -> TAG.matcher(source)
                .results()
                .collect(Collectors.groupingBy(tag -> tag.group(1), Collectors.counting()))
                .forEach((row, tags) ->
                        testsByRow.computeIfAbsent(row, _ -> new ArrayList<>()).add(new TaggedTest(test, tags))));
        testsByRow
                .values()
                .forEach(tests -> tests.sort(Comparator.comparing(TaggedTest::level)
                        .thenComparing(TaggedTest::tags, Comparator.reverseOrder())
                        .thenComparing(TaggedTest::test)));
        return testsByRow;
    }

    private static String lines(String document) {
        return ROW.matcher(document).results().map(MatchResult::group).collect(Collectors.joining("\n"));
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
    void testsNamedInTheSecurityDocumentExist() throws IOException {
        // Given
        var sources = new HashMap<String, String>();
        tests().forEach((file, source) ->
                sources.put(file.getFileName().toString().replace(".java", ""), source));

        // When
        var missing = new TreeSet<String>();
        NAMED.matcher(Files.readString(ROOT.resolve("docs/security.md")))
                .results()
                .forEach(reference -> {
                    String source = sources.get(reference.group(1));
                    if (source == null
                            || (reference.group(2) != null && !source.contains("void " + reference.group(2) + "("))) {
                        missing.add(reference.group());
                    }
                });

        // Then
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
