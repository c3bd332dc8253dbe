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
import io.micronaut.context.annotation.Requires;
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
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
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
@Requires(property = "parley.role.control", value = "true")
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

    @Serdeable
    @Schema(name = "WholeDeadLetter", description = "A dead letter with its content.")
    record WholeJson(
            DeadLetter letter,
            Map<String, String> headers,

            @Schema(
                    description = "Record value, with names and types from its schema; null if no schema reads "
                            + "it or it exceeds 256 KiB.",
                    type = "object")
            @Nullable
            JsonNode value,

            @Schema(
                    description = "First 4 KiB of the value's bytes, in base64; empty if the record has or may have "
                            + "the digest of a key.")
            String start) {}

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "Redrive", description = "Filters that select the dead letters to re-drive.")
    record RedriveJson(
            @Schema(description = "Only dead letters of this topic.") @Nullable
            String topic,

            @Schema(description = "Only dead letters put aside by this processor or worker.") @Nullable
            String by,

            @Schema(description = "Only dead letters with this record type, such as SubmitTurn.") @Nullable
            String type,

            @Schema(description = "Earliest time, inclusive.") @Nullable
            Instant from,

            @Schema(description = "Latest time, exclusive.") @Nullable
            Instant to,

            @Schema(description = "Maximum number to re-drive at once, up to 1000. Defaults to 100.") @Nullable
            Integer limit) {}

    @Serdeable
    @Schema(name = "Redriven", description = "Result of a re-drive.")
    record RedrivenJson(
            @Schema(description = "Ids of the dead letters sent to their topics.")
            List<String> redriven,

            @Schema(description = "Number of selected dead letters that remain; repeat the request to re-drive them.")
            int left) {}

    @Get
    @RequiresCapability(Capability.HOST_MANAGE)
    @Operation(
            summary = "List dead letters",
            description = "Dead letters without their content, newest first, up to 10,000.")
    @ApiResponse(responseCode = "200", description = "A page of dead letters.")
    Page<DeadLetter> list(
            @Parameter(description = "Original topic of the records.") @Nullable @QueryValue String topic,
            @Parameter(description = "Processor or worker that put the records aside.") @Nullable @QueryValue String by,
            @Parameter(description = "Record type, such as SubmitTurn.") @Nullable @QueryValue String type,
            @Parameter(description = "Earliest time, inclusive.") @Nullable @QueryValue Instant from,
            @Parameter(description = "Latest time, exclusive.") @Nullable @QueryValue Instant to,
            @Nullable @QueryValue Integer limit,
            @Parameter(description = "Id of the last dead letter of the previous page.") @Nullable @QueryValue
                    String cursor,
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

    @Get("/{id}")
    @RequiresCapability(Capability.HOST_MANAGE)
    @Audited(source = "dead-letter", action = "read")
    @Operation(summary = "Get a dead letter", description = "Includes its headers and content.")
    @ApiResponse(responseCode = "200", description = "The dead letter.")
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

    @Post("/{id}/redrive")
    @RequiresCapability(Capability.HOST_MANAGE)
    @Audited(source = "dead-letter", action = "redrive")
    @Operation(
            summary = "Re-drive a dead letter",
            description = "Sends the unchanged record to its topic again, once; a record that was already sent "
                    + "is not sent again.")
    @ApiResponse(responseCode = "200", description = "Result of the re-drive.")
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

    @Post("/redrive")
    @RequiresCapability(Capability.HOST_MANAGE)
    @Audited(source = "dead-letter", action = "redrive")
    @Operation(
            summary = "Re-drive dead letters",
            description = "Sends the selected dead letters to their topics again, oldest first; {} selects all.")
    @ApiResponse(responseCode = "200", description = "Result of the re-drive.")
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
