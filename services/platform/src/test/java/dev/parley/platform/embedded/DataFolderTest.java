package dev.parley.platform.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
    @TempDir
    private Path parent;

    @Test
    void isCreatedForItsOwnerOnly() throws Exception {
        try (var data = DataFolder.open(parent.resolve("a/b"))) {
            assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(data.path())));
        }
    }

    @Test
    void rejectsASecondOpenAndNamesTheFirstProcess() {
        // Given
        var folder = parent.resolve("data");
        try (var first = DataFolder.open(folder)) {
            // When
            var refused = assertThrows(StartupException.class, () -> DataFolder.open(folder));

            // Then
            assertTrue(
                    refused.getMessage()
                            .contains("pid " + ProcessHandle.current().pid()),
                    refused.getMessage());
            assertTrue(refused.getMessage().contains(first.path().toString()), refused.getMessage());
        }
        DataFolder.open(folder).close();
    }

    @Test
    void keepsAGeneratedSecret() throws Exception {
        String generated;
        try (var data = DataFolder.open(parent)) {
            generated = data.secret("admin.key");
            assertEquals(43, generated.length());
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("admin.key"))));
        }
        try (var data = DataFolder.open(parent)) {
            assertEquals(generated, data.secret("admin.key"));
            assertThrows(IllegalArgumentException.class, () -> data.secret("../admin.key"));
        }
    }

    @Test
    void locationComesFromTheEnvironment() {
        assertEquals(Path.of("data").toAbsolutePath(), DataFolder.location(Map.of()));
        assertEquals(Path.of("/srv/parley"), DataFolder.location(Map.of("PARLEY_DATA", "/srv/parley")));
    }
}
