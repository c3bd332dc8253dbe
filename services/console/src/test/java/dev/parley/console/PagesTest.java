package dev.parley.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks of all scripts of the console, which no build step processes. */
class PagesTest {
    private static final Pattern IMPORT = Pattern.compile("import \\{([^}]*)\\} from '(\\.[^']+)'");
    private static final Pattern EXPORT =
            Pattern.compile("^export (?:async )?(?:function\\*?|const|class) (\\w+)", Pattern.MULTILINE);

    private static Path root() throws URISyntaxException {
        return Path.of(Objects.requireNonNull(PagesTest.class.getResource("/console/app.js"))
                        .toURI())
                .getParent();
    }

    private static List<Path> scripts() throws IOException, URISyntaxException {
        try (Stream<Path> files = Files.walk(root())) {
            return files.filter(file -> file.toString().endsWith(".js"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void importsReferToExistingExports() throws Exception {
        // Given
        var exported = new TreeMap<Path, List<String>>();
        for (Path script : scripts()) {
            exported.put(
                    script,
                    EXPORT.matcher(Files.readString(script))
                            .results()
                            .map(found -> found.group(1))
                            .toList());
        }

        // Then
        for (Path script : scripts()) {
            IMPORT.matcher(Files.readString(script)).results().forEach(found -> {
                Path from = script.resolveSibling(found.group(2)).normalize();
                if (!from.getParent().endsWith("lib")) {
                    List<String> imported = Stream.of(found.group(1).split(","))
                            .map(name -> name.trim().split(" as ")[0])
                            .filter(name -> !name.isEmpty())
                            .toList();
                    assertTrue(exported.containsKey(from), () -> script + " imports " + from);
                    assertTrue(
                            exported.getOrDefault(from, List.of()).containsAll(imported),
                            () -> script + " imports " + imported + " from " + from);
                }
            });
        }
        assertTrue(exported.size() > 20, () -> "scripts: " + exported.keySet());
    }

    @Test
    void scriptsDoNotWriteMarkupOrEvaluateCode() throws Exception {
        for (Path script : scripts()) {
            String text = Files.readString(script);
            for (String forbidden : List.of("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "new Function")) {
                assertFalse(text.contains(forbidden), () -> script + " has " + forbidden);
            }
        }
    }

    @Test
    void pageCodesAreUnique() throws Exception {
        List<String> codes = Pattern.compile("\\{ code: '([^']+)'")
                .matcher(Files.readString(root().resolve("pages.js")))
                .results()
                .map(found -> found.group(1))
                .toList();

        assertEquals(codes.stream().distinct().collect(Collectors.toList()), codes);
        assertTrue(codes.containsAll(List.of("processes", "workflows", "dead-letters", "topics", "audit", "bots")));
    }
}
