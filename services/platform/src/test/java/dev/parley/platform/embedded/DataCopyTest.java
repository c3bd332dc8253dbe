package dev.parley.platform.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag("B142")
@DisabledOnOs(OS.WINDOWS)
class DataCopyTest {
    @TempDir
    private Path folder;

    @Test
    void haltsNoStrangerWhoseIdAKilledProcessHad() throws Exception {
        // Given
        Path data = Files.createDirectory(folder.resolve("data"));
        Process stranger = new ProcessBuilder("sleep", "60").start();
        try {
            Files.writeString(data.resolve("parley.lock"), stranger.pid() + "\n");
            Files.writeString(data.resolve("runtime.json"), "{}");

            // When
            var refused = assertThrows(StartupException.class, () -> DataCopy.take(data, folder.resolve("copy")));

            // Then
            assertTrue(refused.getMessage().contains("No other process runs on"), refused.getMessage());
            assertTrue(stranger.isAlive());
            assertFalse(Files.exists(folder.resolve("copy")));
        } finally {
            stranger.destroyForcibly();
        }
    }

    @Test
    void haltsNotItself() throws Exception {
        try (var data = DataFolder.open(folder.resolve("data"))) {
            assertThrows(StartupException.class, () -> DataCopy.take(data.path(), folder.resolve("copy")));
        }
        assertEquals(Optional.empty(), DataFolder.holder(folder.resolve("data").toRealPath()));
    }
}
