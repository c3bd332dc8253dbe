package dev.parley.channels.web;

import dev.parley.platform.kafka.RecordCodec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The newest records of one partition, and who follows which session of it. Bounded by number and by bytes. */
final class DeltaLog {
    static final int MAX_RECORDS = 2_000;

    private final int maxBytes;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private final Map<String, List<DeltaWatch>> watches = new HashMap<>();
    private long bytes;
    /** Every record from here to before {@code next} is in {@code entries}. */
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

    /** All before this offset was appended; there are offsets without a record. */
    synchronized void advance(long offset) {
        next = Math.max(next, offset);
    }

    /** From which offset on all is here. */
    synchronized long covered() {
        return covered;
    }

    /** The offset of the record that comes next. */
    synchronized long next() {
        return next;
    }

    /** Lets a watch follow from this offset on, without a gap; false when records are not here, or not yet. */
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
        List<DeltaWatch> same = watches.get(key);
        if (same != null && same.remove(watch) && same.isEmpty()) {
            watches.remove(key);
        }
    }
}
