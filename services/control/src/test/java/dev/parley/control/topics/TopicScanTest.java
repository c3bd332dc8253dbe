package dev.parley.control.topics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.control.topics.TopicScan.Bounds;
import dev.parley.control.topics.TopicScan.Part;
import dev.parley.control.topics.TopicScan.Scanned;
import dev.parley.control.topics.TopicScan.Stop;
import dev.parley.platform.http.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Scans of a topic that a map simulates. */
class TopicScanTest {
    private static final Map<Integer, OffsetRange> WHOLE =
            Map.of(0, new OffsetRange(0, 1_000), 1, new OffsetRange(100, 700));

    private final Map<Integer, List<ConsumerRecord<byte[], byte[]>>> topic = new TreeMap<>(Map.of(
            0, LongStream.range(0, 1_000).mapToObj(n -> record(0, n, n * 2)).toList(),
            1, LongStream.range(100, 700).mapToObj(n -> record(1, n, n * 3 + 1)).toList()));

    private static ConsumerRecord<byte[], byte[]> record(int partition, long offset, long timestamp) {
        byte[] key = ("k" + offset).getBytes(StandardCharsets.UTF_8);
        byte[] value = new byte[10];
        return new ConsumerRecord<>(
                "t",
                partition,
                offset,
                timestamp,
                TimestampType.CREATE_TIME,
                key.length,
                value.length,
                key,
                value,
                new RecordHeaders(),
                Optional.empty());
    }

    private Map<Integer, Part> read(Map<Integer, OffsetRange> ranges) {
        var parts = new TreeMap<Integer, Part>();
        ranges.forEach((partition, range) -> parts.put(
                partition,
                new Part(
                        range,
                        topic.getOrDefault(partition, List.of()).stream()
                                .filter(record -> record.offset() >= range.begin() && record.offset() < range.end())
                                .toList())));
        return parts;
    }

    private Scanned scan(Map<Integer, OffsetRange> ranges, Bounds bounds) {
        return TopicScan.scan(this::read, ranges, record -> record.offset() % 7 == 0, bounds);
    }

    @Test
    @Tag("O5")
    void pagesShowEachRecordOnceNewestFirst() {
        // Given
        var bounds = new Bounds(20, 150, 10_000, () -> false);
        var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
        int rows = 0;

        // When
        Map<Integer, OffsetRange> remaining = WHOLE;
        for (int pages = 0; !remaining.isEmpty() && pages < 100; pages++) {
            Scanned page = scan(remaining, bounds);
            records.addAll(page.found());
            rows += page.rows();
            remaining =
                    page.left().isEmpty() ? Map.of() : ScanCursor.remainingRanges(ScanCursor.of(page.left()), WHOLE);
        }

        // Then
        List<ConsumerRecord<byte[], byte[]>> expected = topic.values().stream()
                .flatMap(List::stream)
                .filter(record -> record.offset() % 7 == 0)
                .sorted(Comparator.comparingLong((ConsumerRecord<byte[], byte[]> record) -> record.timestamp())
                        .reversed())
                .toList();
        assertEquals(expected, records);
        assertEquals(1_600, rows, "each record is looked at once");
    }

    @Test
    void reportsWhyItStopped() {
        assertEquals(
                Stop.LIMIT,
                scan(WHOLE, new Bounds(3, 1_000, 1 << 20, () -> false)).stop());
        Scanned rows = scan(WHOLE, new Bounds(500, 10, 1 << 20, () -> false));
        assertEquals(Stop.ROWS, rows.stop());
        assertEquals(10, rows.rows());
        Scanned bytes = scan(WHOLE, new Bounds(500, 1_000, 100, () -> false));
        assertEquals(Stop.BYTES, bytes.stop());
        assertTrue(bytes.bytes() < 120, () -> "one record over the bound at most: " + bytes.bytes());
        assertEquals(
                Stop.TIME, scan(WHOLE, new Bounds(500, 1_000, 100, () -> true)).stop());
        assertEquals(
                Stop.END,
                scan(WHOLE, new Bounds(5_000, 5_000, 1 << 20, () -> false)).stop());
    }

    @Test
    void stopsAndKeepsItsPositionIfTheBrokersDoNotAnswer() {
        Scanned scanned = TopicScan.scan(_ -> Map.of(), WHOLE, _ -> true, new Bounds(10, 10, 10, () -> false));

        assertEquals(Stop.TIME, scanned.stop());
        assertEquals(new TreeMap<>(WHOLE), scanned.left());
    }

    @Test
    void skipsOffsetsWithoutRecordsInLongSteps() {
        // Given one record at the beginning of a compacted partition
        topic.put(0, List.of(record(0, 7, 7)));
        var requestSizes = new ArrayList<Integer>();

        // When
        Scanned scanned = TopicScan.scan(
                ranges -> {
                    requestSizes.add(ranges.size());
                    return read(ranges);
                },
                Map.of(0, new OffsetRange(0, 1_000_000)),
                _ -> true,
                new Bounds(10, 10, 1_000, () -> false));

        // Then
        assertEquals(1, scanned.found().size());
        assertEquals(Stop.END, scanned.stop());
        assertTrue(requestSizes.size() < 30, () -> "parts: " + requestSizes.size());
    }

    @Test
    void rejectsCursorsOfOtherTopics() {
        for (String cursor : List.of("", "x", ScanCursor.of(Map.of(5, new OffsetRange(0, 3))))) {
            assertThrows(ApiException.class, () -> ScanCursor.remainingRanges(cursor, WHOLE), cursor);
        }
        assertEquals(Map.of(0, new OffsetRange(0, 1)), ScanCursor.remainingRanges("MDox", WHOLE)); // 0:1
    }

    @Test
    void filtersByKeyTypeAndText() {
        var record = record(0, 12, 1);
        record.headers().add("ce_type", "Turn".getBytes(StandardCharsets.UTF_8));
        assertTrue(new RecordFilter("k1", null, null).test(record));
        assertFalse(new RecordFilter("k2", null, null).test(record));
        assertTrue(new RecordFilter("", "K12", "").test(record));
        assertFalse(new RecordFilter(null, "other", null).test(record));
        assertThrows(ApiException.class, () -> new RecordFilter("x".repeat(2_000), null, null));
    }

    @Test
    void omitsDigestsOfKeys() {
        String digest = "0123456789abcdef".repeat(4);

        assertEquals(
                "{\"prefix\": \"ab\", \"hash\": \"hidden\"}",
                RecordContents.withoutDigests("{\"prefix\": \"ab\", \"hash\": \"" + digest + "\"}"));
        String text = "{\"text\": \"\\\"hash\\\": \\\"" + digest + "\\\"\"}";
        assertEquals(text, RecordContents.withoutDigests(text), "what somebody said stays as it is");
    }
}
