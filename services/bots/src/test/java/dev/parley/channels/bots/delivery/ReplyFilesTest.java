package dev.parley.channels.bots.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure;
import dev.parley.domain.content.Block;
import dev.parley.platform.blob.BlobStore;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplyFilesTest {
    @TempDir
    private Path folder;

    private static Block.File file(long size, String sha256) {
        return new Block.File("a.bin", "application/zip", size, sha256, null, null);
    }

    private Piece piece(Block.File file, long largest) throws SendFailure {
        return new ReplyFiles(new BlobStore(folder, 1 << 20)).piece(file, largest);
    }

    @Test
    void readsAFileFromTheBlobStore() throws Exception {
        var blob = new BlobStore(folder, 1 << 20).put(new ByteArrayInputStream(new byte[] {1, 2, 3}));
        var document = (Piece.Document) piece(file(3, blob.sha256()), 3);
        assertArrayEquals(new byte[] {1, 2, 3}, document.bytes());
        assertEquals("a.bin application/zip", document.name() + " " + document.mimeType());
    }

    @Test
    void replacesAFileThatCannotBeSentWithAText() throws Exception {
        String address = "ab".repeat(32);
        assertEquals(
                Piece.Words.plain("📎 a.bin is too large to be sent here (5.7 MB)."),
                piece(file(6_000_000, address), 5 << 20));
        assertEquals(Piece.Words.plain("📎 a.bin is no longer available."), piece(file(1, address), 10));
        assertEquals(
                Piece.Words.plain("📎 a.bin could not be sent (1 kB)."), ReplyFiles.refusalNotice(file(1, address)));
    }
}
