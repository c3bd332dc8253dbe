package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that each relative link of the documentation leads to a file, and each anchor to a heading. */
class LinksTest {
    private static final Path ROOT =
            Path.of("").toAbsolutePath().resolve("../..").normalize();
    private static final List<String> DOCUMENTATION =
            List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", "schemas", "deploy");
    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```");
    private static final Pattern INLINE = Pattern.compile("`[^`\n]*`");
    private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        // When
        var broken = new TreeSet<String>();
        List<Path> pages = pages();
        for (Path page : pages) {
            String text = INLINE.matcher(FENCED.matcher(Files.readString(page)).replaceAll(""))
                    .replaceAll("`code`");
            for (MatchResult link : LINK.matcher(text).results().toList()) {
                if (!isValid(page, link.group(1), link.group(2))) {
                    broken.add(ROOT.relativize(page) + ": " + link.group());
                }
            }
        }

        // Then
        assertTrue(pages.size() > 100, "the documentation was read");
        assertEquals(Set.of(), broken);
    }

    private static boolean isValid(Path page, String file, String anchor) throws IOException {
        Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        return Files.exists(target)
                && (anchor == null
                        || !target.toString().endsWith(".md")
                        || anchors(Files.readString(target)).contains(anchor));
    }

    /** The anchors that GitHub gives the headings of a page. */
    private static Set<String> anchors(String text) {
        return HEADING.matcher(FENCED.matcher(text).replaceAll(""))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    private static List<Path> pages() throws IOException {
        Stream<Path> found = Stream.empty();
        for (String path : DOCUMENTATION) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(path))) {
                found = Stream.concat(found, files.toList().stream());
            }
        }
        return found.filter(file -> file.toString().endsWith(".md")
                        && !file.toString().contains("/target/")
                        && !file.toString().contains("/node_modules/"))
                .toList();
    }
}
