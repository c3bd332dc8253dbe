package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares the lines that docs/decisions/0044 states for our own code with the code. A figure may be a tenth off, so
 * that not each change touches it; {@code -Dparley.own-code=write} writes all of them anew.
 */
class OwnCodeTest {
    private static final Path ROOT =
            Path.of("").toAbsolutePath().resolve("../..").normalize();
    private static final Path DOCUMENT = ROOT.resolve("docs/decisions/0044-what-is-our-own-and-why.md");
    /** What it is, where it is, and its lines. */
    private static final Pattern ROW = Pattern.compile("(?m)^(\\| [^|]*\\| )([\\d,]+)( \\|.*)$");
    /** A package, as in {@code platform.serde}, or a class. */
    private static final Pattern CODE = Pattern.compile("`((?!parley\\.yml)[a-z0-9.]*[A-Za-z0-9]+)`");

    @Test
    void statesTheLinesOfTheCode() throws IOException {
        // Given
        String document = Files.readString(DOCUMENT);
        List<Path> sources = sources();

        // When
        String counted = ROW.matcher(document)
                .replaceAll(row -> Matcher.quoteReplacement(row.group(1) + figure(row, sources) + row.group(3)));
        if ("write".equals(System.getProperty("parley.own-code"))) {
            Files.writeString(DOCUMENT, counted);
            return;
        }

        // Then
        assertFalse(ROW.matcher(document).results().toList().isEmpty(), "the page was read");
        assertEquals(
                counted,
                document,
                "run ./mvnw -pl services/acceptance -am test -Dtest=OwnCodeTest -Dparley.own-code=write"
                        + " -Dsurefire.failIfNoSpecifiedTests=false");
    }

    /** The figure of the row, if it is near enough, else the lines of the code that the row names. */
    private static String figure(MatchResult row, List<Path> sources) {
        long lines = CODE.matcher(row.group(1))
                .results()
                .mapToLong(code -> lines(code.group(1), sources))
                .sum();
        long stated = Long.parseLong(row.group(2).replace(",", ""));
        boolean near = 10 * Math.abs(lines - stated) <= lines && !"write".equals(System.getProperty("parley.own-code"));
        return near ? row.group(2) : String.format(Locale.ROOT, "%,d", lines);
    }

    private static long lines(String code, List<Path> sources) {
        String path = "/" + code.replace('.', '/');
        boolean isClass = Character.isUpperCase(path.charAt(path.lastIndexOf('/') + 1));
        Predicate<Path> belongs = isClass
                ? source -> source.toString().endsWith(path + ".java")
                : source -> source.toString().contains("/dev/parley" + path + "/");
        List<Path> found = sources.stream().filter(belongs).toList();
        assertFalse(found.isEmpty(), () -> DOCUMENT.getFileName() + " names no code: " + code);
        return found.stream().mapToLong(OwnCodeTest::lines).sum();
    }

    private static long lines(Path source) {
        try (Stream<String> lines = Files.lines(source)) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("services"))) {
            return files.filter(file -> file.toString().contains("/src/main/java/")
                            && file.toString().endsWith(".java"))
                    .toList();
        }
    }
}
