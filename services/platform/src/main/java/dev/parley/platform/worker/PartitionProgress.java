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
 * Which requests of a partition are finished. The lowest unfinished one is the position that is committed; which ones
 * after it are unfinished stands in the commit's metadata, so that whoever has the partition next passes over the rest.
 *
 * <p>A request whose lease lapsed does not hold the position back: whoever reads it drops it. So a call of ten minutes
 * costs the partition one lease of repeated reading at most.
 *
 * <p>Metadata: {@code 1;read;gap,gap,…} in base 36, all relative to the committed offset: how far was read, and the
 * distances from one unfinished offset to the next. Thread-safe.
 */
final class PartitionProgress {
    /** As the lease of a request that nobody has taken up: it is never finished by the passing of time. */
    static final Instant NOT_TAKEN = Instant.MAX;

    /** A time at which every request that was taken up counts as finished: its worker lives and answers. */
    static final Instant HANDED_OVER = Instant.MAX.minusSeconds(1);

    private static final String VERSION = "1";
    private static final int MAX_METADATA = 3_000;
    private static final int RADIX = 36;

    private final TreeMap<Long, Instant> unfinished = new TreeMap<>();
    /** What the one before read, and left unfinished. */
    private final NavigableSet<Long> left = new TreeSet<>();

    private final long readBefore;
    private long next;

    PartitionProgress(@Nullable OffsetAndMetadata committed) {
        next = committed == null ? -1 : committed.offset();
        readBefore = committed == null ? -1 : decode(committed);
    }

    /** Whether the one who had the partition before finished this request. */
    synchronized boolean finishedBefore(long offset) {
        return offset < readBefore && !left.contains(offset);
    }

    /** The record at this offset was read and needs nothing more. */
    synchronized void passed(long offset) {
        next = offset + 1;
    }

    /** The record at this offset was read and is still to be taken up. */
    synchronized void read(long offset) {
        passed(offset);
        unfinished.put(offset, NOT_TAKEN);
    }

    /** The request was taken up. */
    synchronized void taken(long offset, Instant leaseUntil) {
        unfinished.replace(offset, leaseUntil);
    }

    /** The request was answered, or needs no answer. */
    synchronized void finished(long offset) {
        unfinished.remove(offset);
    }

    /** What is to be committed at this time, or null before the first record. */
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
                read = offset; // what comes after is forgotten, and so carried out again
                break;
            }
            gaps.append(gaps.isEmpty() ? "" : ",").append(Long.toString(offset - before, RADIX));
            before = offset;
        }
        return read == low ? "" : VERSION + ";" + Long.toString(read - low, RADIX) + ";" + gaps;
    }

    /** Fills {@link #left} and returns how far was read; metadata of another make counts as none. */
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
