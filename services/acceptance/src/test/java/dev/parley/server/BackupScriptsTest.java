package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The backup scripts report wrong arguments and damaged archives, and leave no files behind. */
@DisabledOnOs(OS.WINDOWS)
class BackupScriptsTest {
    private static final Path SCRIPTS =
            Path.of("").toAbsolutePath().resolve("../../deploy/backup").normalize();

    @TempDir
    Path folder;

    private Path data;
    private Path archive;

    /** Runs a script; returns its output. */
    static String run(int exit, String script, String... arguments) throws IOException, InterruptedException {
        return run(exit, Map.of(), script, arguments);
    }

    static String run(int exit, Map<String, String> environment, String script, String... arguments)
            throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("sh", SCRIPTS.resolve(script).toString()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(1, TimeUnit.MINUTES));
        assertEquals(exit, process.exitValue(), printed);
        return printed;
    }

    @BeforeEach
    void folderOfAnInstallation() throws IOException {
        data = folder.resolve("the data");
        archive = folder.resolve("a b.tar.gz");
        for (String name : List.of("kafka/log", "postgres/base", "blobs/aa", "streams/store", "postgres-4711/bin")) {
            Files.createDirectories(data.resolve(name));
            Files.writeString(data.resolve(name).resolve("file"), "content of " + name);
        }
        Files.writeString(data.resolve("postgres-app.password"), "secret");
        Files.writeString(data.resolve("parley.lock"), ProcessHandle.current().pid() + "\n");
    }

    private List<String> folderContents() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static List<String> files(Path in) throws IOException {
        try (Stream<Path> files = Files.walk(in)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> in.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void omitsFilesThatAreRecreated() throws Exception {
        // When
        run(0, "backup.sh", data.toString(), archive.toString());
        run(0, "restore.sh", archive.toString(), folder.resolve("new/data").toString());

        // Then
        assertEquals(
                List.of(
                        "blobs/aa/file",
                        "kafka/log/file",
                        "parley.lock",
                        "postgres-app.password",
                        "postgres/base/file"),
                files(folder.resolve("new/data")));
        assertEquals("rwx------", permissions(folder.resolve("new/data")));
        assertEquals("rw-------", permissions(archive));
        assertEquals(List.of("a b.tar.gz", "a b.tar.gz.sha256", "new", "the data"), folderContents());
        assertEquals(List.of("data"), List.of(folder.resolve("new").toFile().list()));
    }

    private static String permissions(Path file) throws IOException {
        return java.nio.file.attribute.PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"backup.sh", "restore.sh", "drill.sh"})
    void wrongArgumentsPrintTheUsage(String script) throws Exception {
        for (String[] wrong : new String[][] {{}, {""}, {"a", "b", "c"}}) {
            assertTrue(run(64, script, wrong).contains("deploy/backup/" + script));
        }
        assertTrue(run(0, script, "--help").contains("deploy/backup/" + script));
        assertEquals(List.of("the data"), folderContents());
    }

    @ParameterizedTest
    @ValueSource(strings = {"runtime.json", "postgres/postmaster.pid"})
    void rejectsBackupOfARunningInstallation(String sign) throws Exception {
        Files.writeString(data.resolve(sign), "1");

        String output = run(1, "backup.sh", data.toString(), archive.toString());

        assertTrue(output.contains("stop it") && output.contains("Nothing was backed up"), output);
        assertEquals(List.of("the data"), folderContents());
    }

    @Test
    void backupRejectsExistingAndInvalidTargets() throws Exception {
        // Given
        Files.writeString(archive, "an older one");

        // Then
        assertTrue(run(1, "backup.sh", data.toString(), archive.toString()).contains("exists"));
        run(1, "backup.sh", data.toString(), data.resolve("x.tar.gz").toString());
        run(1, "backup.sh", folder.toString(), folder.resolve("no data").toString());
        run(1, "backup.sh", folder.resolve("none").toString(), archive.toString());
        run(1, "backup.sh", data.toString(), folder.resolve("none/x.tar.gz").toString());

        assertEquals("an older one", Files.readString(archive));
        assertFalse(Files.exists(data.resolve("x.tar.gz")));
        assertEquals(List.of("a b.tar.gz", "the data"), folderContents());
    }

    @Test
    void damagedArchiveRestoresNothing() throws Exception {
        // Given
        run(0, "backup.sh", data.toString(), archive.toString());
        byte[] original = Files.readAllBytes(archive);
        Path to = Files.createDirectory(folder.resolve("to"));
        byte[] changed = original.clone();
        changed[changed.length / 2] ^= 1;

        // Then
        for (byte[] damaged : List.of(changed, Arrays.copyOf(original, original.length * 2 / 3), new byte[0])) {
            Files.write(archive, damaged);
            assertTrue(run(1, "restore.sh", archive.toString(), to.toString()).contains("Nothing was restored"));
            Path withoutDigest = folder.resolve("without.tar.gz"); // also without its digest file
            Files.write(withoutDigest, damaged);
            assertTrue(run(1, "restore.sh", withoutDigest.toString(), to.toString())
                    .contains("Nothing was restored"));
            Files.delete(withoutDigest);
            assertArrayEquals(new String[0], to.toFile().list());
        }
        run(1, "drill.sh", archive.toString());
        run(1, "restore.sh", folder.resolve("none.tar.gz").toString(), to.toString());
        assertEquals(List.of("a b.tar.gz", "a b.tar.gz.sha256", "the data", "to"), folderContents());
        Files.write(archive, original);
        run(0, "restore.sh", archive.toString(), to.toString());
        assertTrue(run(1, "restore.sh", archive.toString(), to.toString()).contains("not empty"));
    }
}
