package dev.parley.channels.bots.delivery;

import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure;
import dev.parley.domain.content.Block;
import dev.parley.platform.blob.BlobStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;

/** Files of replies, loaded when they are sent. */
public record ReplyFiles(BlobStore blobs, Semaphore reading) {
    private static final int MAX_LOADED = 4;

    /** At most four files are in memory at once. */
    public ReplyFiles(BlobStore blobs) {
        this(blobs, new Semaphore(MAX_LOADED, true));
    }

    /**
     * The file, or a text about it where it cannot be sent.
     *
     * @param largest limit of the channel in bytes
     * @throws SendFailure when it cannot be read now
     */
    Piece piece(Block.File file, long largest) throws SendFailure {
        if (file.size() > largest) {
            return Piece.Words.plain("📎 %s is too large to be sent here (%s).".formatted(file.name(), size(file)));
        }
        Optional<Path> path = blobs.get(file.sha256());
        if (path.isEmpty()) {
            return Piece.Words.plain("📎 %s is no longer available.".formatted(file.name()));
        }
        try {
            byte[] bytes = Files.readAllBytes(path.get());
            return new Piece.Document(file.name(), file.mimeType(), bytes, Piece.Words.plain(""));
        } catch (IOException e) {
            throw new SendFailure(SendFailure.Kind.LATER, "the file %s: %s".formatted(file.sha256(), e), null, e);
        }
    }

    /** The text for a file that the channel rejects. */
    static Piece refusalNotice(Block.File file) {
        return Piece.Words.plain("📎 %s could not be sent (%s).".formatted(file.name(), size(file)));
    }

    /** The text of a reply that consists of files. */
    static Piece.Words announcement(List<Block.File> files) {
        return Piece.Words.plain(files.stream().map(file -> "📎 " + file.name()).collect(Collectors.joining("\n")));
    }

    private static String size(Block.File file) {
        return file.size() < 1 << 20
                ? "%d kB".formatted(Math.max(1, file.size() >> 10))
                : String.format(Locale.ROOT, "%.1f MB", file.size() / (double) (1 << 20));
    }
}
