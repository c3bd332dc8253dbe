package dev.parley.platform.worker;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The finished requests of a partition. The committed offset is the lowest unfinished request; the metadata of the
 * commit lists later unfinished ones, so that the next owner of the partition skips the rest.
 *
 * <p>A request whose lease expired does not hold the offset back, since its reader drops it. So a call of ten minutes
 * makes the next owner reread at most one lease.
 *
 * <p>Metadata: {@code 1;read;gap,gap,…} in base 36, relative to the committed offset: the end of the records that were
 * read, and the distances from one unfinished offset to the next. Thread-safe.
 */
final class PartitionProgress {
    /** Lease of a request that has not been started: it does not expire. */
    static final Instant NOT_STARTED = Instant.MAX;

    /** A time at which every started request counts as finished: its worker is alive and completes it. */
    static final Instant HANDED_OVER = Instant.MAX.minusSeconds(1);

    private static final String VERSION = "1";
    private static final int MAX_METADATA = 3_000;
    private static final int RADIX = 36;

    private final TreeMap<Long, Instant> unfinished = new TreeMap<>();
    /** Requests that the previous owner left unfinished. */
    private final NavigableSet<Long> left = new TreeSet<>();

    private final long readBefore;
    private long next;

    PartitionProgress(@Nullable OffsetAndMetadata committed) {
        next = committed == null ? -1 : committed.offset();
        readBefore = committed == null ? -1 : decode(committed);
    }

    /** Whether the previous owner finished this request. */
    synchronized boolean isFinishedBefore(long offset) {
        return offset < readBefore && !left.contains(offset);
    }

    /** Passes a request that the previous owner finished; returns false for others. */
    synchronized boolean passIfFinished(long offset) {
        boolean finished = isFinishedBefore(offset);
        if (finished) {
            onPassed(offset);
        }
        return finished;
    }

    /** The record at this offset is not a pending request. */
    synchronized void onPassed(long offset) {
        next = offset + 1;
    }

    /** The request at this offset was read, and is not started yet. */
    synchronized void onRead(long offset) {
        onPassed(offset);
        unfinished.put(offset, NOT_STARTED);
    }

    /** The request was started. */
    synchronized void onStarted(long offset, Instant leaseUntil) {
        unfinished.replace(offset, leaseUntil);
    }

    /** The result of the request was acknowledged, or it needs none. */
    synchronized void onFinished(long offset) {
        unfinished.remove(offset);
    }

    /** The offset to commit at this time; null before the first record. */
    synchronized @Nullable OffsetAndMetadata position(Instant now) {
        if (next < 0) {
            return null;
        }
        List<Long> open = open(now);
        long read = Math.max(next, readBefore);
        long low = open.isEmpty() ? read : open.getFirst();
        return new OffsetAndMetadata(low, encode(low, read, open));
    }

    private List<Long> open(Instant now) {
        var open = new ArrayList<Long>();
        unfinished.forEach((offset, leaseUntil) -> {
            if (!leaseUntil.isBefore(now)) {
                open.add(offset);
            }
        });
        open.addAll(left.tailSet(next));
        return open;
    }

    private static String encode(long low, long read, List<Long> open) {
        var gaps = new StringBuilder();
        long before = low;
        for (long offset : open) {
            if (gaps.length() > MAX_METADATA) {
                read = offset; // later ones are not listed, and so executed again
                break;
            }
            gaps.append(gaps.isEmpty() ? "" : ",").append(Long.toString(offset - before, RADIX));
            before = offset;
        }
        return read == low ? "" : VERSION + ";" + Long.toString(read - low, RADIX) + ";" + gaps;
    }

    /** Fills {@link #left} and returns the end of the records that were read; unknown metadata is ignored. */
    private long decode(OffsetAndMetadata committed) {
        String[] fields = committed.metadata().split(";", -1);
        if (fields.length != 3 || !fields[0].equals(VERSION)) {
            return committed.offset();
        }
        try {
            long offset = committed.offset();
            for (String gap : fields[2].isEmpty() ? new String[0] : fields[2].split(",")) {
                offset += Long.parseLong(gap, RADIX);
                left.add(offset);
            }
            return committed.offset() + Long.parseLong(fields[1], RADIX);
        } catch (NumberFormatException e) {
            left.clear();
            return committed.offset();
        }
    }
}
