package dev.parley.channels.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.http.ApiException;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContentReaderTest {
    @TempDir
    private Path folder;

    @Test
    void rejectsAPartThatIsNull() {
        var reader = new ContentReader(new BlobStore(folder, 1 << 20));

        var refused =
                assertThrows(ApiException.class, () -> reader.blocks(null, Collections.<Part>singletonList(null)));

        assertEquals("invalid_part", refused.code());
    }
}
