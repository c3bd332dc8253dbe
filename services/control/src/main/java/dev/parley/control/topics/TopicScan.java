package dev.parley.control.topics;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Scans a topic backwards, newest record first across partitions, within limits of records, bytes and time. The result
 * has the ranges that were not scanned.
 */
final class TopicScan {
    /** Offsets read at a time; sparse partitions are read in longer parts. */
    private static final long FIRST_STEP = 64;

    private static final long MAX_DENSE_STEP = 1_024;
    private static final long MAX_STEP = 65_536;

    private final Source source;
    private final Predicate<ConsumerRecord<byte[], byte[]>> filter;
    private final Bounds bounds;
    private final Map<Integer, Tail> tails = new TreeMap<>();
    private final List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
    private int rows;
    private long bytes;

    private TopicScan(Source source, Predicate<ConsumerRecord<byte[], byte[]>> filter, Bounds bounds) {
        this.source = source;
        this.filter = filter;
        this.bounds = bounds;
    }

    /** Reads parts of partitions. */
    @FunctionalInterface
    interface Source {
        /**
         * The records of these parts, oldest first; a partition that could not be read in time is omitted.
         *
         * @return by partition; of a part that is too large only the end, as its range shows
         */
        Map<Integer, Part> read(Map<Integer, OffsetRange> ranges);
    }

    /** All records of a range of a partition. */
    record Part(OffsetRange range, List<ConsumerRecord<byte[], byte[]>> records) {}

    /**
     * The limits of a scan.
     *
     * @param found matching records
     * @param rows scanned records
     * @param bytes scanned bytes of keys and values
     * @param isLate whether the time is up
     */
    record Bounds(int found, int rows, long bytes, BooleanSupplier isLate) {}

    /** The reason for the end of a scan. */
    enum Stop {
        /** Nothing is left. */
        END,
        /** Enough records were found. */
        LIMIT,
        ROWS,
        BYTES,
        TIME
    }

    /**
     * The result of a scan.
     *
     * @param left the non-empty ranges that were not scanned, by partition
     * @param rows scanned records
     */
    record Scanned(
            List<ConsumerRecord<byte[], byte[]>> found,
            Map<Integer, OffsetRange> left,
            int rows,
            long bytes,
            Stop stop) {}

    /** Scans parts of partitions. */
    static Scanned scan(
            Source source,
            Map<Integer, OffsetRange> ranges,
            Predicate<ConsumerRecord<byte[], byte[]>> filter,
            Bounds bounds) {
        var scan = new TopicScan(source, filter, bounds);
        ranges.forEach((partition, range) -> {
            if (!range.isEmpty()) {
                scan.tails.put(partition, new Tail(range));
            }
        });
        return scan.run();
    }

    private Scanned run() {
        Optional<Stop> stop = Optional.empty();
        while (stop.isEmpty()) {
            stop = step();
        }
        var remaining = new TreeMap<Integer, OffsetRange>();
        tails.forEach((partition, tail) -> {
            if (!tail.remaining().isEmpty()) {
                remaining.put(partition, tail.remaining());
            }
        });
        return new Scanned(
                List.copyOf(found), remaining, rows, bytes, remaining.isEmpty() ? Stop.END : stop.orElseThrow());
    }

    private Optional<Stop> step() {
        if (found.size() >= bounds.found()) {
            return Optional.of(Stop.LIMIT);
        }
        if (rows >= bounds.rows()) {
            return Optional.of(Stop.ROWS);
        }
        if (bytes >= bounds.bytes()) {
            return Optional.of(Stop.BYTES);
        }
        if (bounds.isLate().getAsBoolean() || !refill()) {
            return Optional.of(Stop.TIME);
        }
        if (tails.values().stream().anyMatch(Tail::needsRecords)) {
            return Optional.empty(); // a part without records, as compaction leaves them
        }
        return tails.values().stream()
                .filter(tail -> !tail.read.isEmpty())
                .max(Comparator.comparingLong(Tail::newest))
                .map(this::scanNewest)
                .orElse(Optional.of(Stop.END));
    }

    private Optional<Stop> scanNewest(Tail tail) {
        ConsumerRecord<byte[], byte[]> record = tail.take();
        rows++;
        bytes += size(record);
        if (filter.test(record)) {
            found.add(record);
        }
        return Optional.empty();
    }

    static long size(ConsumerRecord<byte[], byte[]> record) {
        return (long) Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
    }

    /** @return false where the source did not answer in time */
    private boolean refill() {
        var needed = new TreeMap<Integer, OffsetRange>();
        tails.forEach((partition, tail) -> {
            if (tail.needsRecords()) {
                needed.put(partition, tail.unread.tail(tail.step));
            }
        });
        if (needed.isEmpty()) {
            return true;
        }
        source.read(needed).forEach((partition, part) -> tail(partition).add(part));
        return needed.keySet().stream()
                .noneMatch(partition -> tail(partition).unread.end()
                        == needed.getOrDefault(partition, new OffsetRange(0, 0)).end());
    }

    private Tail tail(int partition) {
        return Objects.requireNonNull(tails.get(partition));
    }

    /** A partition: its unread range, and the records that are read but not scanned. */
    private static final class Tail {
        private final Deque<ConsumerRecord<byte[], byte[]>> read = new ArrayDeque<>();
        private OffsetRange unread;
        private long step = FIRST_STEP;

        Tail(OffsetRange range) {
            this.unread = range;
        }

        boolean needsRecords() {
            return read.isEmpty() && !unread.isEmpty();
        }

        long newest() {
            return read.getLast().timestamp();
        }

        ConsumerRecord<byte[], byte[]> take() {
            return read.removeLast();
        }

        void add(Part part) {
            read.addAll(part.records());
            boolean isSparse = part.records().size() < step / 2;
            step = Math.min(isSparse ? MAX_STEP : MAX_DENSE_STEP, step * 4);
            unread = new OffsetRange(unread.begin(), part.range().begin());
        }

        OffsetRange remaining() {
            return new OffsetRange(
                    unread.begin(),
                    read.isEmpty() ? unread.end() : read.getLast().offset() + 1);
        }
    }
}
