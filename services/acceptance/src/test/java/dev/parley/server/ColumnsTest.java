package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

/** Every column of every service is one that its code names, in a package that names the table. */
class ColumnsTest {
    private static final Path SERVICES =
            Path.of("").toAbsolutePath().resolve("..").normalize();

    private static final Pattern CREATED = Pattern.compile("CREATE TABLE (\\w+) \\((.*?)\\n\\)", Pattern.DOTALL);
    private static final Pattern COLUMN = Pattern.compile("(?m)^  \"?([a-z][a-z_0-9]*)\"? +[a-z]");
    private static final Pattern ALTERED = Pattern.compile("ALTER TABLE (\\w+)\\s(.*?);", Pattern.DOTALL);
    private static final Pattern ADDED = Pattern.compile("ADD COLUMN (?:IF NOT EXISTS )?\"?(\\w+)");
    private static final Pattern DROPPED = Pattern.compile("DROP COLUMN (?:IF EXISTS )?\"?(\\w+)");
    private static final Pattern GENERATED = Pattern.compile("(?m)^  (\\w+) .*GENERATED ALWAYS");

    /** Columns of the founding tables that keep their default, by design: rows are versioned, active, and have an author. */
    private static final Set<String> BY_DEFAULT =
            Set.of("active", "aggregate_version", "created_ts", "update_ts", "update_user");

    @Test
    @Tag("P61")
    void everyColumnIsNamedByTheCodeOfItsService() throws IOException {
        // Given
        Map<String, Set<String>> unnamed = new TreeMap<>();
        int tables = 0;

        // When
        for (Path service : folders()) {
            Map<String, Set<String>> columns = columns(service);
            List<String> sources = sources(service);
            for (var table : columns.entrySet()) {
                tables++;
                List<String> about = sources.stream()
                        .filter(text -> text.contains(table.getKey()))
                        .toList();
                Set<String> missing = table.getValue().stream()
                        .filter(column -> !BY_DEFAULT.contains(column))
                        .filter(column -> about.stream().noneMatch(text -> names(text, column)))
                        .collect(Collectors.toCollection(TreeSet::new));
                if (!missing.isEmpty()) {
                    unnamed.put(service.getFileName() + "." + table.getKey(), missing);
                }
            }
        }

        // Then
        assertTrue(tables > 50, tables + " tables were read");
        assertEquals(Map.of(), unnamed, "write them, or drop them with a decision");
    }

    private static boolean names(String text, String column) {
        String scaled = column.replaceAll("_scale$", ""); // the scale of a number is written with it
        return !scaled.equals(column) && names(text, scaled)
                || Pattern.compile("\\b" + column + "\\b").matcher(text).find()
                || Pattern.compile("(?i)\\b" + column.replace("_", "") + "\\b")
                        .matcher(text)
                        .find();
    }

    private static List<Path> folders() throws IOException {
        try (Stream<Path> all = Files.list(SERVICES)) {
            return all.filter(service -> Files.isDirectory(migrations(service)))
                    .sorted()
                    .toList();
        }
    }

    private static Path migrations(Path service) {
        return service.resolve("src/main/resources/db/migration").resolve(service.getFileName());
    }

    /** The columns of each table after all migrations, without generated ones. */
    private static Map<String, Set<String>> columns(Path service) throws IOException {
        var columns = new HashMap<String, Set<String>>();
        for (String sql : migrationsInOrder(service)) {
            CREATED.matcher(sql).results().forEach(table -> {
                Set<String> found = all(COLUMN, table.group(2));
                found.removeAll(all(GENERATED, table.group(2)));
                columns.put(table.group(1), found);
            });
            ALTERED.matcher(sql).results().forEach(table -> {
                Set<String> of = columns.getOrDefault(table.group(1), new TreeSet<>());
                of.addAll(all(ADDED, table.group(2)));
                of.removeAll(all(DROPPED, table.group(2)));
            });
            Pattern.compile("DROP TABLE (\\w+)")
                    .matcher(sql)
                    .results()
                    .forEach(table -> columns.remove(table.group(1)));
        }
        return columns;
    }

    private static List<String> migrationsInOrder(Path service) throws IOException {
        var byNumber = new TreeMap<Integer, String>();
        try (Stream<Path> files = Files.list(migrations(service))) {
            for (Path file : files.toList()) {
                Matcher number = Pattern.compile("V(\\d+)__.*")
                        .matcher(file.getFileName().toString());
                if (number.matches()) {
                    byNumber.put(
                            Integer.valueOf(number.group(1)),
                            Files.readString(file).replaceAll("--[^\n]*", ""));
                }
            }
        }
        return List.copyOf(byNumber.values());
    }

    private static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(MatchResult::group)
                .map(found -> pattern.matcher(found))
                .filter(Matcher::find)
                .map(found -> found.group(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The modules whose code is in the package of a service: a role may have several. */
    private static List<Path> modules(Path service) throws IOException {
        Path code = Path.of("src/main/java/dev/parley").resolve(service.getFileName());
        try (Stream<Path> all = Files.list(SERVICES)) {
            return all.filter(module -> Files.isDirectory(module.resolve(code)))
                    .sorted()
                    .toList();
        }
    }

    /** The main sources of the service and of the platform, a text for each package. */
    private static List<String> sources(Path service) throws IOException {
        var texts = new ArrayList<String>();
        var roots = new ArrayList<>(modules(service));
        roots.add(SERVICES.resolve("platform"));
        for (Path root : roots) {
            var packages = new TreeMap<Path, StringBuilder>();
            try (Stream<Path> files = Files.walk(root.resolve("src/main/java"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    packages.computeIfAbsent(file.getParent(), _ -> new StringBuilder())
                            .append(Files.readString(file));
                }
            }
            packages.values().forEach(text -> texts.add(text.toString()));
        }
        return texts;
    }
}
