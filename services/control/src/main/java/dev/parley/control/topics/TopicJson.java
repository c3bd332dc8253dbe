package dev.parley.control.topics;

import com.fasterxml.jackson.annotation.JsonInclude;
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
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "Topic", description = "A topic, and how much stands on it.")
    record TopicRow(
            String name,

            @Schema(description = "What its keys are, in words.")
            String key,

            @Schema(description = "delete: records go after the retention; compact: the newest of each key stays.")
            String cleanup,

            @Schema(description = "How long records stay; null where they are compacted.") @Nullable
            Long retentionSeconds,

            int partitions,

            @Schema(description = "From its first offset to its last: at least as many as records stand on it.")
            long offsets) {
        static TopicRow of(Topic<?> topic, Map<Integer, Span> spans) {
            return new TopicRow(
                    topic.name(),
                    topic.key(),
                    topic.cleanup().name().toLowerCase(Locale.ROOT),
                    topic.retention() == null ? null : topic.retention().toSeconds(),
                    spans.size(),
                    spans.values().stream()
                            .mapToLong(span -> span.end() - span.begin())
                            .sum());
        }
    }

    @Serdeable
    @Schema(name = "TopicList", description = "The topics of this installation.")
    record TopicList(List<TopicRow> data) {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "TopicRecord", description = "A record of a topic, without its value.")
    record RecordRow(
            @Schema(description = "Its partition and offset, such as 0-17.")
            String id,

            int partition,
            long offset,
            Instant at,
            String key,

            @Schema(description = "The name of what it holds, such as SubmitTurn; empty where nothing says so.")
            String type,

            @Schema(description = "Size of its value; null where it is a tombstone.") @Nullable
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
    @Schema(name = "ScannedPartition", description = "How far a scan came in a partition, from its end backwards.")
    record PartitionJson(
            int partition,

            @Schema(description = "The first offset that is meant.")
            long first,

            @Schema(description = "The offset behind the last one that is meant.")
            long end,

            @Schema(description = "All from here to the end was looked at, in this page and those before.")
            long reached) {}

    @Serdeable
    @Schema(name = "Scan", description = "What a scan looked at, and why it ended.")
    record ScanJson(
            @Schema(description = "How many records it looked at.")
            int rows,

            long bytes,

            @Schema(
                    description =
                            "Why it ended: end (there is nothing more), limit, rows, bytes or time; next goes on from there.")
            String stopped,

            List<PartitionJson> partitions) {
        static ScanJson of(Scanned scanned, Map<Integer, Span> whole) {
            return new ScanJson(
                    scanned.rows(),
                    scanned.bytes(),
                    scanned.stop().name().toLowerCase(Locale.ROOT),
                    whole.entrySet().stream()
                            .map(one -> new PartitionJson(
                                    one.getKey(),
                                    one.getValue().begin(),
                                    one.getValue().end(),
                                    scanned.left()
                                            .getOrDefault(
                                                    one.getKey(),
                                                    new Span(0, one.getValue().begin()))
                                            .end()))
                            .toList());
        }
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(
            name = "TopicRecords",
            description = "Records of a topic, the newest first, and how far they were looked for.")
    record RecordsJson(
            List<RecordRow> data,

            @Schema(description = "Goes on where this scan ended; null where there is nothing more.") @Nullable
            String next,

            ScanJson read) {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "WholeRecord", description = "A record with what is in it.")
    record WholeRecord(
            RecordRow record,
            Map<String, String> headers,

            @Schema(
                    description =
                            "Its value, as its schema names and types it; null where no schema reads it, or it has more than"
                                    + " 256 KiB. Digests of keys are left out.",
                    type = "object")
            @Nullable
            JsonNode value,

            @Schema(description = "The first 4 KiB of its bytes, base64.")
            String start) {}
}
