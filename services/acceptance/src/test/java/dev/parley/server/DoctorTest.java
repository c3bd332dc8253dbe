package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.testkit.HttpDouble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code doctor} for a server that runs. */
class DoctorTest {
    @TempDir
    Path folder;

    @Test
    void reportsAMissingAdminKeyOfAHealthyServer() throws IOException {
        try (var server = new HttpDouble()) {
            // Given
            server.answers(HttpDouble.json(200, "{\"parts\":{\"broker\":{}}}"));
            var running = new Infrastructure.Running(
                    server.url().toString(), ProcessHandle.current().pid(), "", "");
            Files.writeString(folder.resolve(Instance.RUNTIME_FILE), running.json());

            // When
            CommandRun run = CommandRun.of(
                    Map.of("PARLEY_CONFIG", folder.resolve("none.yml").toString(), "PARLEY_DATA", folder.toString()),
                    "doctor");

            // Then
            assertEquals(1, run.status(), run.output());
            assertTrue(run.out().contains("  ok   broker"), run.output());
            assertTrue(run.out().contains("  !!   no admin key: " + folder.resolve("admin.key")), run.output());
            assertFalse(run.out().contains("does not answer"), run.output());
        }
    }
}
