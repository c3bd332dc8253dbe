package dev.parley.control.topics;

import dev.parley.control.topics.TopicScan.Scanned;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** JSON forms of topics and their records. */
final class TopicJson {
    private TopicJson() {}

    /**
     * A topic and its size.
     *
     * @param key Description of the record keys.
     * @param cleanup Cleanup policy: delete removes records after the retention; compact keeps the newest record of
     *     each key.
     * @param retentionSeconds Retention of records in seconds; null for compacted topics.
     * @param offsets Number of offsets from the first to the last; at least the number of records.
     */
    @Serdeable
    @Schema(name = "Topic")
    record TopicRow(
            String name,
            String key,
            String cleanup,
            @Nullable Long retentionSeconds,
            int partitions,
            long offsets) {
        static TopicRow of(Topic<?> topic, Map<Integer, OffsetRange> ranges) {
            return new TopicRow(
                    topic.name(),
                    topic.key(),
                    topic.cleanup().name().toLowerCase(Locale.ROOT),
                    topic.retention() == null ? null : topic.retention().toSeconds(),
                    ranges.size(),
                    ranges.values().stream()
                            .mapToLong(range -> range.end() - range.begin())
                            .sum());
        }
    }

    /** Topics of this installation. */
    @Serdeable
    @Schema(name = "TopicList")
    record TopicList(List<TopicRow> data) {}

    /**
     * A record of a topic, without its value.
     *
     * @param id Id: partition and offset, such as 0-17.
     * @param type Name of the record type, such as SubmitTurn; empty if unknown.
     * @param bytes Size of the value in bytes; null for a tombstone.
     */
    @Serdeable
    @Schema(name = "TopicRecord")
    record RecordRow(
            String id,
            int partition,
            long offset,
            Instant at,
            String key,
            String type,
            @Nullable Integer bytes) {
        static RecordRow of(ConsumerRecord<byte[], byte[]> record) {
            return new RecordRow(
                    record.partition() + "-" + record.offset(),
                    record.partition(),
                    record.offset(),
                    Instant.ofEpochMilli(record.timestamp()),
                    RecordCodec.key(record),
                    RecordCodec.type(record).orElse(""),
                    record.value() == null ? null : record.value().length);
        }
    }

    /**
     * Progress of a scan in a partition, from its end backwards.
     *
     * @param first First offset of the selected range.
     * @param end Offset after the last one of the selected range.
     * @param reached Lowest offset reached; all records from here to end were scanned, in this page and earlier ones.
     */
    @Serdeable
    @Schema(name = "ScannedPartition")
    record PartitionJson(int partition, long first, long end, long reached) {}

    /**
     * Extent of a scan, and the reason it ended.
     *
     * @param rows Number of records scanned.
     * @param stopped Reason the scan ended: end (nothing is left), limit, rows, bytes or time; next continues from
     *     there.
     */
    @Serdeable
    @Schema(name = "Scan")
    record ScanJson(int rows, long bytes, String stopped, List<PartitionJson> partitions) {
        static ScanJson of(Scanned scanned, Map<Integer, OffsetRange> allRanges) {
            return new ScanJson(
                    scanned.rows(),
                    scanned.bytes(),
                    scanned.stop().name().toLowerCase(Locale.ROOT),
                    allRanges.entrySet().stream()
                            .map(entry -> new PartitionJson(
                                    entry.getKey(),
                                    entry.getValue().begin(),
                                    entry.getValue().end(),
                                    scanned.left()
                                            .getOrDefault(
                                                    entry.getKey(),
                                                    new OffsetRange(
                                                            0, entry.getValue().begin()))
                                            .end()))
                            .toList());
        }
    }

    /**
     * Records of a topic, newest first, and the extent of the scan.
     *
     * @param next Cursor that continues where this scan ended; null if nothing is left.
     */
    @Serdeable
    @Schema(name = "TopicRecords")
    record RecordsJson(List<RecordRow> data, @Nullable String next, ScanJson read) {}

    /**
     * A record with its headers and value.
     *
     * @param start First 4 KiB of the value's bytes, in base64; empty if the record has or may have the digest of a
     *     key.
     */
    @Serdeable
    @Schema(name = "WholeRecord")
    record WholeRecord(
            RecordRow record,
            Map<String, String> headers,

            @Schema(
                    description = "Record value, with names and types from its schema; null if no schema reads "
                            + "it or it exceeds 256 KiB. Digests of keys are omitted.",
                    type = "object")
            @Nullable
            JsonNode value,

            String start) {}
}
