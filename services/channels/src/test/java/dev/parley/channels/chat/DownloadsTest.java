package dev.parley.channels.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Intake.UnavailableException.Reason;
import dev.parley.platform.blob.BlobStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DownloadsTest {
    private static final Attachment FILE = new Attachment("1", "a.txt", "text/plain", 1);

    @TempDir
    private Path folder;

    private static UnavailableException failure(Downloads downloads) {
        return assertThrows(UnavailableException.class, () -> downloads.file(FILE));
    }

    @Test
    void failureOfTheBlobStoreKeepsItsCause() throws IOException {
        Path noFolder = Files.writeString(folder.resolve("file"), "text");
        var downloads = new Downloads((_, _) -> new byte[1], new BlobStore(noFolder, 1 << 20));

        UnavailableException failure = failure(downloads);

        assertInstanceOf(IOException.class, failure.getCause());
        assertEquals("the blob store: " + failure.getCause(), failure.getMessage());
        assertEquals(Reason.AWAY, failure.reason());
    }

    @Test
    void failureOfThePlatformKeepsItsCause() {
        var cause = new NotThereException("no answer", true);
        var downloads = new Downloads(
                (_, _) -> {
                    throw cause;
                },
                new BlobStore(folder, 1 << 20));

        UnavailableException failure = failure(downloads);

        assertSame(cause, failure.getCause());
        assertEquals("the file is not there yet: no answer", failure.getMessage());
    }
}
