package dev.parley.channels.web;

import dev.parley.platform.kafka.RecordCodec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The newest records of one partition, bounded by number and bytes, and the watches of its sessions. */
final class DeltaLog {
    static final int MAX_RECORDS = 2_000;

    private final int maxBytes;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private final Map<String, List<DeltaWatch>> watches = new HashMap<>();
    private long bytes;
    /** All records from here to {@code next} are cached. */
    private long covered;

    private long next;

    DeltaLog(long next, int maxBytes) {
        this.covered = next;
        this.next = next;
        this.maxBytes = maxBytes;
    }

    private record Entry(String key, ConsumerRecord<byte[], byte[]> record) {}

    static int weight(ConsumerRecord<byte[], byte[]> record) {
        return Math.max(0, record.serializedValueSize()) + 200;
    }

    synchronized void append(ConsumerRecord<byte[], byte[]> record) {
        String key = RecordCodec.key(record);
        entries.addLast(new Entry(key, record));
        bytes += weight(record);
        next = record.offset() + 1;
        while (entries.size() > MAX_RECORDS || (bytes > maxBytes && entries.size() > 1)) {
            ConsumerRecord<byte[], byte[]> oldest = entries.removeFirst().record();
            bytes -= weight(oldest);
            covered = oldest.offset() + 1;
        }
        for (DeltaWatch watch : watches.getOrDefault(key, List.of())) {
            watch.offer(record);
        }
    }

    /** Offsets without a record, such as transaction markers, were read. */
    synchronized void advance(long offset) {
        next = Math.max(next, offset);
    }

    /** The first offset that is cached completely. */
    synchronized long firstCoveredOffset() {
        return covered;
    }

    /** The next offset. */
    synchronized long next() {
        return next;
    }

    /** Attaches a watch at this offset without a gap; false where records are not cached, or not read yet. */
    synchronized boolean attach(DeltaWatch watch, String key, long from) {
        if (from < covered || from > next) {
            return false;
        }
        for (Entry entry : entries) {
            if (entry.record().offset() >= from && entry.key().equals(key)) {
                watch.prefill(entry.record());
            }
        }
        watches.computeIfAbsent(key, k -> new ArrayList<>(1)).add(watch);
        return true;
    }

    synchronized void detach(DeltaWatch watch, String key) {
        List<DeltaWatch> watchesOfKey = watches.get(key);
        if (watchesOfKey != null && watchesOfKey.remove(watch) && watchesOfKey.isEmpty()) {
            watches.remove(key);
        }
    }
}
