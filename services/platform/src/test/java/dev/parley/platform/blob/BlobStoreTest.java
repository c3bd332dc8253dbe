package dev.parley.platform.blob;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
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
    void the_same_bytes_are_kept_once_and_come_back() throws Exception {
        var store = new BlobStore(folder, 100);
        var blob = store.put(new ByteArrayInputStream("hello".getBytes()));
        assertEquals("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", blob.sha256());
        assertEquals(5, blob.size());
        assertEquals(blob, store.put(new ByteArrayInputStream("hello".getBytes())));
        assertArrayEquals(
                "hello".getBytes(), Files.readAllBytes(store.get(blob.sha256()).orElseThrow()));
        assertEquals(1, files());
    }

    @Test
    void too_many_bytes_leave_nothing_behind() throws Exception {
        var store = new BlobStore(folder, 4);
        assertThrows(BlobStore.TooLargeException.class, () -> store.put(new ByteArrayInputStream(new byte[5])));
        assertEquals(0, files());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "../../etc/passwd", "2cf24dba/../x", "incoming", "ABCDEF"})
    void only_an_address_is_looked_up(String address) {
        assertEquals(Optional.empty(), new BlobStore(folder, 4).get(address));
    }
}
