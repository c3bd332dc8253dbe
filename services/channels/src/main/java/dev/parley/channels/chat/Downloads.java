package dev.parley.channels.chat;

import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.domain.content.Block;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.collection.BoundedMap;
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

/** Downloads of files that users send to a bot, stored as blobs. */
public final class Downloads {
    private static final Logger LOG = LoggerFactory.getLogger(Downloads.class);
    private static final int MAX_PARALLEL = 4;
    private static final int MAX_ATTEMPTS = 5;
    private static final int MAX_REMEMBERED = 10_000;

    private final Source source;
    private final BlobStore blobs;
    /** Each file is in memory while it is downloaded. */
    private final Semaphore slots = new Semaphore(MAX_PARALLEL, true);

    private final Map<String, Future<Block>> ahead = new ConcurrentHashMap<>();
    private final Map<String, Integer> failures = Collections.synchronizedMap(new BoundedMap<>(MAX_REMEMBERED));

    /** Access to the files of a platform. */
    @FunctionalInterface
    public interface Source {
        /**
         * The bytes of a file.
         *
         * @throws NotThereException where it is not available, or longer than {@code limit} bytes
         */
        byte[] bytes(Attachment file, int limit) throws NotThereException, InterruptedException;
    }

    public Downloads(Source source, BlobStore blobs) {
        this.source = source;
        this.blobs = blobs;
    }

    /**
     * Downloads all of these in parallel, and returns when they are done or have failed: so the parts of an album stay
     * together.
     */
    public void prefetch(List<Attachment> files) throws InterruptedException {
        var tasks = new ArrayList<FutureTask<Block>>();
        for (Attachment file : files) {
            var block = new FutureTask<>(() -> fetch(file));
            ahead.put(file.fileId(), block);
            tasks.add(block);
            Thread.ofVirtual().name("album").start(block);
        }
        for (FutureTask<Block> block : tasks) {
            try {
                block.get();
            } catch (ExecutionException e) {
                LOG.atDebug().addKeyValue("reason", e.getMessage()).log("a file of an album is not there yet");
            }
        }
    }

    /** Drops prefetched files. */
    public void forget(List<Attachment> files) {
        files.forEach(file -> ahead.remove(file.fileId()));
    }

    /**
     * A file as a block, or a text about it where it is not available.
     *
     * @throws UnavailableException when a retry may help
     */
    public Block file(Attachment attachment) throws UnavailableException, InterruptedException {
        var prefetched = ahead.remove(attachment.fileId());
        try {
            Block block = prefetched == null ? fetch(attachment) : prefetched.get();
            failures.remove(attachment.fileId());
            return block;
        } catch (UnavailableException e) {
            return orText(attachment, e);
        } catch (ExecutionException e) {
            return orText(
                    attachment,
                    new UnavailableException(
                            UnavailableException.Reason.AWAY, String.valueOf(e.getCause()), e.getCause()));
        }
    }

    /** Limits the retries of a file, because its message blocks later ones. */
    private Block orText(Attachment attachment, UnavailableException cause) throws UnavailableException {
        if (failures.merge(attachment.fileId(), 1, Integer::sum) < MAX_ATTEMPTS) {
            throw cause;
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
        slots.acquire();
        try {
            return download(attachment);
        } finally {
            slots.release();
        }
    }

    private Block download(Attachment attachment) throws UnavailableException, InterruptedException {
        try {
            byte[] bytes = source.bytes(attachment, BlobStore.MOST);
            BlobStore.Blob blob = blobs.put(new ByteArrayInputStream(bytes));
            return new Block.File(attachment.name(), attachment.mimeType(), blob.size(), blob.sha256(), null, null);
        } catch (NotThereException e) {
            if (e.isRetryable()) {
                throw new UnavailableException(
                        UnavailableException.Reason.AWAY, "the file is not there yet: " + e.getMessage(), e);
            }
            return missing(attachment);
        } catch (BlobStore.TooLargeException e) {
            return Block.text("[file '%s', %s: too large]".formatted(attachment.name(), attachment.mimeType()));
        } catch (IOException e) {
            throw new UnavailableException(UnavailableException.Reason.AWAY, "the blob store: " + e, e);
        }
    }
}
