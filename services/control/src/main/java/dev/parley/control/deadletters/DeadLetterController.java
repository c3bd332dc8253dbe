package dev.parley.control.deadletters;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.control.deadletters.DeadLetter.Place;
import dev.parley.control.topics.RecordContents;
import dev.parley.domain.access.Capability;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Routes of dead letters, for administrators of the default host, as the topic has records of all hosts. */
@Controller("/v1/dead-letters")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(
        name = "Dead letters",
        description = "Records that could not be read or processed, for administrators of the installation's own host.")
class DeadLetterController {
    private static final int MAX_REDRIVES = 1_000;
    private static final int DEFAULT_REDRIVES = 100;

    private final DeadLetterQueue queue;
    private final RecordContents contents;

    DeadLetterController(DeadLetterQueue queue, RecordContents contents) {
        this.queue = queue;
        this.contents = contents;
    }

    /**
     * A dead letter with its content.
     *
     * @param start First 4 KiB of the value's bytes, in base64; empty if the record has or may have the digest of a
     *     key.
     */
    @Serdeable
    @Schema(name = "WholeDeadLetter")
    record WholeJson(
            DeadLetter letter,
            Map<String, String> headers,

            @Schema(
                    description = "Record value, with names and types from its schema; null if no schema reads "
                            + "it or it exceeds 256 KiB.",
                    type = "object")
            @Nullable
            JsonNode value,

            String start) {}

    /**
     * Filters that select the dead letters to re-drive.
     *
     * @param topic Only dead letters of this topic.
     * @param by Only dead letters of this processor or worker.
     * @param type Only dead letters with this record type, such as SubmitTurn.
     * @param from Earliest time, inclusive.
     * @param to Latest time, exclusive.
     * @param limit Maximum number to re-drive at once, up to 1000. Defaults to 100.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "Redrive")
    record RedriveJson(
            @Nullable String topic,
            @Nullable String by,
            @Nullable String type,
            @Nullable Instant from,
            @Nullable Instant to,
            @Nullable Integer limit) {}

    /**
     * Result of a re-drive.
     *
     * @param redriven Ids of the dead letters sent to their topics.
     * @param left Number of selected dead letters that remain; repeat the request to re-drive them.
     */
    @Serdeable
    @Schema(name = "Redriven")
    record RedrivenJson(List<String> redriven, int left) {}

    /**
     * List dead letters. Dead letters without their content, newest first, up to 10,000.
     *
     * @param topic Original topic of the records.
     * @param by Processor or worker that failed on the records.
     * @param type Record type, such as SubmitTurn.
     * @param from Earliest time, inclusive.
     * @param to Latest time, exclusive.
     * @param cursor Id of the last dead letter of the previous page.
     * @return A page of dead letters.
     */
    @Get
    @RequiresCapability(Capability.HOST_MANAGE)
    Page<DeadLetter> list(
            @Nullable @QueryValue String topic,
            @Nullable @QueryValue String by,
            @Nullable @QueryValue String type,
            @Nullable @QueryValue Instant from,
            @Nullable @QueryValue Instant to,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        caller.requireOperator();
        int max = Cursor.limit(limit);
        List<DeadLetter> found = queue.find(start(from), which(topic, by, type, to));
        if (cursor != null) {
            requirePlace(cursor);
            int last = found.stream().map(DeadLetter::id).toList().indexOf(cursor);
            found = found.subList(last + 1, found.size());
        }
        return Page.of(found, max, Function.identity(), DeadLetter::id);
    }

    private static Instant start(@Nullable Instant from) {
        return from == null ? Instant.EPOCH : from;
    }

    private static Predicate<DeadLetter> which(
            @Nullable String topic, @Nullable String by, @Nullable String type, @Nullable Instant to) {
        return letter -> (topic == null || topic.equals(letter.topic()))
                && (by == null || by.equals(letter.by()))
                && (type == null || type.equals(letter.type()))
                && (to == null || letter.at().isBefore(to));
    }

    private static Place requirePlace(String id) {
        return DeadLetter.parsePlace(id).orElseThrow(DeadLetterController::notFound);
    }

    private static ApiException notFound() {
        return ApiException.notFound(
                "dead_letter_not_found", "There is no dead letter with this id, or it was deleted.");
    }

    /**
     * Get a dead letter. Includes its headers and content.
     *
     * @return The dead letter.
     */
    @Get("/{id}")
    @RequiresCapability(Capability.HOST_MANAGE)
    @Audited(source = "dead-letter", action = "read")
    WholeJson show(@PathVariable String id, Caller caller) {
        caller.requireOperator();
        var record = queue.read(requirePlace(id)).orElseThrow(DeadLetterController::notFound);
        return new WholeJson(
                requireLetter(id, record),
                RecordContents.headers(record),
                contents.value(record.value()),
                RecordContents.start(record));
    }

    private DeadLetter requireLetter(String id, ConsumerRecord<byte[], byte[]> record) {
        return queue
                .find(
                        Instant.ofEpochMilli(record.timestamp()),
                        letter -> letter.id().equals(id))
                .stream()
                .findFirst()
                .orElseThrow(DeadLetterController::notFound);
    }

    /**
     * Re-drive a dead letter. Sends the unchanged record to its topic again, once; a record that was already sent is
     * not sent again.
     *
     * @return Result of the re-drive.
     */
    @Post("/{id}/redrive")
    @RequiresCapability(Capability.HOST_MANAGE)
    @Audited(source = "dead-letter", action = "redrive")
    RedrivenJson redrive(@PathVariable String id, Caller caller) {
        caller.requireOperator();
        var record = queue.read(requirePlace(id)).orElseThrow(DeadLetterController::notFound);
        DeadLetter letter = DeadLetter.of(record);
        if (!letter.redrivable()) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "not_redrivable",
                    "Records of '" + letter.topic() + "' cannot be re-driven: fix their consumer, then run"
                            + " './parley replay' to read the topic again.");
        }
        return answer(queue.redrive(letter.at(), candidate -> candidate.id().equals(id), 1));
    }

    private static RedrivenJson answer(DeadLetterQueue.Redriven result) {
        return new RedrivenJson(result.redriven(), result.left());
    }

    /**
     * Re-drive dead letters. Sends the selected dead letters to their topics again, oldest first; {} selects all.
     *
     * @return Result of the re-drive.
     */
    @Post("/redrive")
    @RequiresCapability(Capability.HOST_MANAGE)
    @Audited(source = "dead-letter", action = "redrive")
    RedrivenJson redriveAll(@Body RedriveJson body, Caller caller) {
        caller.requireOperator();
        int max = body.limit() == null ? DEFAULT_REDRIVES : body.limit();
        if (max < 1 || max > MAX_REDRIVES) {
            throw ApiException.badRequest(
                    "invalid_field", "The field 'limit' must be a number from 1 to " + MAX_REDRIVES);
        }
        return answer(queue.redrive(start(body.from()), which(body.topic(), body.by(), body.type(), body.to()), max));
    }
}
