package dev.parley.platform.blob;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlobStoreTest {
    @TempDir
    private Path folder;

    private long files() throws IOException {
        try (var found = Files.walk(folder)) {
            return found.filter(Files::isRegularFile).count();
        }
    }

    @Test
    void storesEqualBytesOnceAndReturnsThem() throws Exception {
        var store = new BlobStore(folder, 100);
        var blob = store.put(new ByteArrayInputStream("hello".getBytes(StandardCharsets.UTF_8)));
        assertEquals("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", blob.sha256());
        assertEquals(5, blob.size());
        assertEquals(blob, store.put(new ByteArrayInputStream("hello".getBytes(StandardCharsets.UTF_8))));
        assertArrayEquals(
                "hello".getBytes(StandardCharsets.UTF_8),
                Files.readAllBytes(store.get(blob.sha256()).orElseThrow()));
        assertEquals(1, files());
    }

    @Test
    void oversizedBlobLeavesNoFile() throws Exception {
        var store = new BlobStore(folder, 4);
        assertThrows(BlobStore.TooLargeException.class, () -> store.put(new ByteArrayInputStream(new byte[5])));
        assertEquals(0, files());
    }

    private String put(BlobStore store, String text, Duration age) throws IOException {
        String address = store.put(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                .sha256();
        grow(store.get(address).orElseThrow(), age);
        return address;
    }

    private static void grow(Path file, Duration age) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
    }

    @Test
    @Tag("O10")
    void sweepDeletesOnlyOldUnreferencedFiles() throws Exception {
        // Given
        var store = new BlobStore(folder, 100);
        String referenced = put(store, "named", Duration.ofDays(40));
        String young = put(store, "young", Duration.ofDays(20));
        String unreferenced = put(store, "left", Duration.ofDays(40));
        Path part = Files.createFile(folder.resolve("incoming").resolve("1.part"));
        grow(part, Duration.ofDays(40));
        Files.createFile(folder.resolve("incoming").resolve("2.part"));

        // Then
        assertEquals(0, store.sweep(Duration.ofDays(31), _ -> Optional.empty()));
        assertEquals(1, store.sweep(Duration.ofDays(31), addresses -> {
            assertEquals(Set.of(referenced, unreferenced), Set.copyOf(addresses));
            return Optional.of(Set.of(referenced));
        }));
        assertTrue(store.get(referenced).isPresent());
        assertTrue(store.get(young).isPresent());
        assertEquals(Optional.empty(), store.get(unreferenced));
        assertFalse(Files.exists(part));
        assertEquals(3, files());
    }

    @Test
    void sweepOfAMissingFolderDeletesNothing() throws Exception {
        assertEquals(
                0,
                new BlobStore(folder.resolve("none"), 1)
                        .sweep(Duration.ZERO, addresses -> Assertions.fail("none is asked for: " + addresses)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "../../etc/passwd", "2cf24dba/../x", "incoming", "ABCDEF"})
    void getReturnsNothingForAnInvalidAddress(String address) {
        assertEquals(Optional.empty(), new BlobStore(folder, 4).get(address));
    }
}
