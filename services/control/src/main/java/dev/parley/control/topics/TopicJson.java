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

    @Serdeable
    @Schema(name = "Topic", description = "A topic and its size.")
    record TopicRow(
            String name,

            @Schema(description = "Description of the record keys.")
            String key,

            @Schema(
                    description = "Cleanup policy: delete removes records after the retention; compact keeps the "
                            + "newest record of each key.")
            String cleanup,

            @Schema(description = "Retention of records in seconds; null for compacted topics.") @Nullable
            Long retentionSeconds,

            int partitions,

            @Schema(description = "Number of offsets from the first to the last; at least the number of records.")
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

    @Serdeable
    @Schema(name = "TopicList", description = "Topics of this installation.")
    record TopicList(List<TopicRow> data) {}

    @Serdeable
    @Schema(name = "TopicRecord", description = "A record of a topic, without its value.")
    record RecordRow(
            @Schema(description = "Id: partition and offset, such as 0-17.")
            String id,

            int partition,
            long offset,
            Instant at,
            String key,

            @Schema(description = "Name of the record type, such as SubmitTurn; empty if unknown.")
            String type,

            @Schema(description = "Size of the value in bytes; null for a tombstone.") @Nullable
            Integer bytes) {
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

    @Serdeable
    @Schema(name = "ScannedPartition", description = "Progress of a scan in a partition, from its end backwards.")
    record PartitionJson(
            int partition,

            @Schema(description = "First offset of the selected range.")
            long first,

            @Schema(description = "Offset after the last one of the selected range.")
            long end,

            @Schema(
                    description = "Lowest offset reached; all records from here to end were scanned, in this "
                            + "page and earlier ones.")
            long reached) {}

    @Serdeable
    @Schema(name = "Scan", description = "Extent of a scan, and the reason it ended.")
    record ScanJson(
            @Schema(description = "Number of records scanned.")
            int rows,

            long bytes,

            @Schema(
                    description = "Reason the scan ended: end (nothing is left), limit, rows, bytes or time; "
                            + "next continues from there.")
            String stopped,

            List<PartitionJson> partitions) {
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

    @Serdeable
    @Schema(name = "TopicRecords", description = "Records of a topic, newest first, and the extent of the scan.")
    record RecordsJson(
            List<RecordRow> data,

            @Schema(description = "Cursor that continues where this scan ended; null if nothing is left.") @Nullable
            String next,

            ScanJson read) {}

    @Serdeable
    @Schema(name = "WholeRecord", description = "A record with its headers and value.")
    record WholeRecord(
            RecordRow record,
            Map<String, String> headers,

            @Schema(
                    description = "Record value, with names and types from its schema; null if no schema reads "
                            + "it or it exceeds 256 KiB. Digests of keys are omitted.",
                    type = "object")
            @Nullable
            JsonNode value,

            @Schema(
                    description = "First 4 KiB of the value's bytes, in base64; empty if the record has or may have "
                            + "the digest of a key.")
            String start) {}
}
