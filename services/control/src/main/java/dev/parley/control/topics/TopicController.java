package dev.parley.control.topics;

import dev.parley.control.topics.TopicJson.RecordRow;
import dev.parley.control.topics.TopicJson.RecordsJson;
import dev.parley.control.topics.TopicJson.ScanJson;
import dev.parley.control.topics.TopicJson.TopicList;
import dev.parley.control.topics.TopicJson.TopicRow;
import dev.parley.control.topics.TopicJson.WholeRecord;
import dev.parley.control.topics.TopicScan.Bounds;
import dev.parley.control.topics.TopicScan.Scanned;
import dev.parley.domain.access.Capability;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Routes of topics and their records, for administrators of the default host, as topics have records of all hosts. */
@Controller("/v1/topics")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Topics", description = "Topics and their records, for administrators of the installation's own host.")
class TopicController {
    private static final int MAX_ROWS = 20_000;
    private static final long MAX_BYTES = 64L << 20;
    private static final Duration TIMEOUT = Duration.ofSeconds(8);
    private static final int MAX_CONCURRENT = 2;
    private static final Pattern ID = Pattern.compile("(\\d{1,5})-(\\d{1,18})");

    private final KafkaClients clients;
    private final RecordContents contents;
    private final Semaphore free = new Semaphore(MAX_CONCURRENT);

    TopicController(KafkaClients clients, RecordContents contents) {
        this.clients = clients;
        this.contents = contents;
    }

    /**
     * List topics. All topics of this installation.
     *
     * @return The topics.
     */
    @Get
    @RequiresCapability(Capability.HOST_MANAGE)
    @Operation(operationId = "listTopics")
    TopicList list(Caller caller) {
        caller.requireOperator();
        return reading(
                reader -> new TopicList(Topics.all().stream()
                        .map(topic -> TopicRow.of(topic, reader.ranges(topic, null, null)))
                        .toList()),
                deadline());
    }

    /**
     * List records of a topic. Records without their values, newest first. A page scans at most 20,000 records, 64 MiB
     * or 8 s; read gives its extent and the reason it ended, and next continues from there, even if nothing was found.
     * Reads are recorded in the audit log.
     *
     * @param partition Only records of this partition.
     * @param key Prefix of the record keys.
     * @param text Text in the keys or values, regardless of case.
     * @param type Record type, such as SubmitTurn.
     * @param from Earliest time, inclusive.
     * @param to Latest time, exclusive.
     * @return A page of records.
     */
    @Get("/{topic}/records")
    @RequiresCapability(Capability.HOST_MANAGE)
    @Audited(source = "topic", action = "read")
    @Operation(operationId = "listTopicRecords")
    RecordsJson records(
            @PathVariable String topic,
            @Nullable @QueryValue Integer partition,
            @Nullable @QueryValue String key,
            @Nullable @QueryValue String text,
            @Nullable @QueryValue String type,
            @Nullable @QueryValue Instant from,
            @Nullable @QueryValue Instant to,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        caller.requireOperator();
        var filter = new RecordFilter(key, text, type);
        BooleanSupplier isLate = deadline();
        var bounds = new Bounds(Cursor.limit(limit), MAX_ROWS, MAX_BYTES, isLate);
        Topic<?> kafkaTopic = requireTopic(topic);
        return reading(
                reader -> {
                    Map<Integer, OffsetRange> allRanges = of(partition, reader.ranges(kafkaTopic, from, to));
                    Map<Integer, OffsetRange> remaining =
                            cursor == null ? allRanges : ScanCursor.remainingRanges(cursor, allRanges);
                    return page(
                            TopicScan.scan(requested -> reader.read(kafkaTopic, requested), remaining, filter, bounds),
                            allRanges);
                },
                isLate);
    }

    private static Map<Integer, OffsetRange> of(@Nullable Integer partition, Map<Integer, OffsetRange> ranges) {
        if (partition == null) {
            return ranges;
        }
        OffsetRange range = ranges.get(partition);
        if (range == null) {
            throw ApiException.badRequest("unknown_partition", "The topic has no partition " + partition);
        }
        return Map.of(partition, range);
    }

    private static RecordsJson page(Scanned scanned, Map<Integer, OffsetRange> allRanges) {
        return new RecordsJson(
                scanned.found().stream().map(RecordRow::of).toList(),
                scanned.left().isEmpty() ? null : ScanCursor.of(scanned.left()),
                ScanJson.of(scanned, allRanges));
    }

    /**
     * Get a record of a topic. Includes its headers and value. Reads are recorded in the audit log.
     *
     * @return The record.
     */
    @Get("/{topic}/records/{id}")
    @RequiresCapability(Capability.HOST_MANAGE)
    @Audited(source = "topic", action = "read")
    @Operation(operationId = "getTopicRecord")
    WholeRecord record(@PathVariable String topic, @PathVariable String id, Caller caller) {
        caller.requireOperator();
        Matcher matcher = ID.matcher(id);
        if (!matcher.matches()) {
            throw notFound();
        }
        int partition = Integer.parseInt(matcher.group(1));
        long offset = Long.parseLong(matcher.group(2));
        Topic<?> kafkaTopic = requireTopic(topic);
        var found = reading(reader -> reader.read(kafkaTopic, partition, offset), deadline())
                .orElseThrow(TopicController::notFound);
        return new WholeRecord(
                RecordRow.of(found),
                RecordContents.headers(found),
                contents.value(found.value()),
                RecordContents.start(found));
    }

    private static ApiException notFound() {
        return ApiException.notFound("record_not_found", "There is no record at this offset, or it was deleted.");
    }

    private static Topic<?> requireTopic(String name) {
        return Topics.find(name)
                .orElseThrow(() -> ApiException.notFound("unknown_topic", "There is no topic '" + name + "'"));
    }

    private static BooleanSupplier deadline() {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        return () -> System.nanoTime() - deadline > 0;
    }

    /** Limits concurrent reads, which cost memory and load the brokers. */
    private <T> T reading(Function<TopicReader, T> question, BooleanSupplier isLate) {
        if (!free.tryAcquire()) {
            throw new ApiException(
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "busy",
                    "Too many topic scans are running: try again in a few seconds.");
        }
        try (var reader = new TopicReader(clients, isLate)) {
            return question.apply(reader);
        } finally {
            free.release();
        }
    }
}
