package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Migrations and schemas of a release never change, since its databases and topics depend on them. Their digests are in
 * {@code releases/{version}/frozen.sha256}, as {@code sha256sum -c} reads them.
 */
class ReleasesTest {
    static final String FROZEN = "frozen.sha256";

    private static final Path ROOT = Path.of("../..");

    static Stream<Path> releases() throws IOException {
        return UpgradeIT.releases();
    }

    @ParameterizedTest
    @MethodSource("releases")
    @Tag("K20")
    void releasedMigrationsAndSchemasAreUnchanged(Path release) throws IOException {
        assertAll(Files.readAllLines(release.resolve(FROZEN)).stream().map(line -> () -> {
            String[] parts = line.split("  ", 2);
            assertEquals(
                    parts[0],
                    digest(ROOT.resolve(parts[1])),
                    parts[1] + " was released: add a migration (V3__...), or a schema of a new version, instead");
        }));
    }

    /** The digests of the migrations and schemas of this build. */
    static List<String> frozen() throws IOException {
        var files = new ArrayList<Path>();
        try (Stream<Path> services = Files.list(ROOT.resolve("services"))) {
            for (Path service : services.toList()) {
                files(service.resolve("src/main/resources/db/migration")).stream()
                        .filter(file -> file.getFileName().toString().startsWith("V")) // comments (R) go on changing
                        .forEach(files::add);
            }
        }
        files.addAll(files(ROOT.resolve("schemas/src/test/resources/released")));
        return files.stream()
                .sorted()
                .map(file -> digest(file) + "  " + ROOT.relativize(file))
                .toList();
    }

    private static List<Path> files(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(Files::isRegularFile).toList();
        }
    }

    private static String digest(Path file) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new AssertionError(file + " cannot be read", e);
        }
    }
}
