package dev.parley.channels.chat;

import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.domain.content.Block;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.collection.NewestMap;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files that people send to a bot, fetched from the platform and kept as blobs. */
public final class Downloads {
    private static final Logger LOG = LoggerFactory.getLogger(Downloads.class);
    private static final int AT_ONCE = 4;
    private static final int TRIES = 5;
    private static final int REMEMBERED = 10_000;

    private final Source source;
    private final BlobStore blobs;
    /** Each file stands in memory while it is fetched. */
    private final Semaphore places = new Semaphore(AT_ONCE, true);

    private final Map<String, Future<Block>> ahead = new ConcurrentHashMap<>();
    private final Map<String, Integer> failures = Collections.synchronizedMap(new NewestMap<>(REMEMBERED));

    /** Where the platform has them. */
    @FunctionalInterface
    public interface Source {
        /** The bytes of a file. @throws NotThereException where it cannot be had, or is longer than {@code most} bytes */
        byte[] bytes(Attachment file, int most) throws NotThereException, InterruptedException;
    }

    /** A file cannot be had. */
    public static final class NotThereException extends Exception {
        private static final long serialVersionUID = 1;

        private final boolean later;

        /** @param later whether it may be there another time */
        public NotThereException(String message, boolean later) {
            super(message);
            this.later = later;
        }
    }

    public Downloads(Source source, BlobStore blobs) {
        this.source = source;
        this.blobs = blobs;
    }

    /** Fetches all of these at once, and returns when they are there or cannot be had: so nothing keeps an album apart. */
    public void ahead(List<Attachment> files) throws InterruptedException {
        var begun = new ArrayList<FutureTask<Block>>();
        for (Attachment file : files) {
            var block = new FutureTask<>(() -> fetch(file));
            ahead.put(file.fileId(), block);
            begun.add(block);
            Thread.ofVirtual().name("album").start(block);
        }
        for (FutureTask<Block> block : begun) {
            try {
                block.get();
            } catch (ExecutionException e) {
                LOG.atDebug().addKeyValue("why", e.getMessage()).log("a file of an album is not there yet");
            }
        }
    }

    /** Those that were fetched ahead are not needed any more. */
    public void forget(List<Attachment> files) {
        files.forEach(file -> ahead.remove(file.fileId()));
    }

    /**
     * A file as a part of a message, or words about it where it cannot be had.
     *
     * @throws UnavailableException when it is worth another try
     */
    public Block file(Attachment attachment) throws UnavailableException, InterruptedException {
        var begun = ahead.remove(attachment.fileId());
        try {
            Block block = begun == null ? fetch(attachment) : begun.get();
            failures.remove(attachment.fileId());
            return block;
        } catch (UnavailableException e) {
            return orWords(attachment, e);
        } catch (ExecutionException e) {
            return orWords(attachment, new UnavailableException(String.valueOf(e.getCause())));
        }
    }

    /** A file that was not there is worth some tries, but not more: its message holds up all others. */
    private Block orWords(Attachment attachment, UnavailableException why) throws UnavailableException {
        if (failures.merge(attachment.fileId(), 1, Integer::sum) < TRIES) {
            throw why;
        }
        failures.remove(attachment.fileId());
        return missing(attachment);
    }

    private static Block missing(Attachment attachment) {
        return Block.text("[file '%s', %s: cannot be fetched]".formatted(attachment.name(), attachment.mimeType()));
    }

    private Block fetch(Attachment attachment) throws UnavailableException, InterruptedException {
        if (attachment.size() > BlobStore.MOST) {
            return Block.text("[file '%s', %s, %d bytes: too large to be fetched]"
                    .formatted(attachment.name(), attachment.mimeType(), attachment.size()));
        }
        places.acquire();
        try {
            byte[] bytes = source.bytes(attachment, BlobStore.MOST);
            BlobStore.Blob blob = blobs.put(new ByteArrayInputStream(bytes));
            return new Block.File(attachment.name(), attachment.mimeType(), blob.size(), blob.sha256(), null, null);
        } catch (NotThereException e) {
            if (e.later) {
                throw new UnavailableException("the file is not there yet: " + e.getMessage());
            }
            return missing(attachment);
        } catch (BlobStore.TooLargeException e) {
            return Block.text("[file '%s', %s: too large]".formatted(attachment.name(), attachment.mimeType()));
        } catch (IOException e) {
            throw new UnavailableException("the blob store: " + e);
        } finally {
            places.release();
        }
    }
}
