package dev.parley.control.deadletters;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
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
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "WholeDeadLetter", description = "A dead letter with what is in it.")
    record WholeJson(
            DeadLetter letter,
            Map<String, String> headers,

            @Schema(
                    description =
                            "Its record, as its schema names and types it; null where no schema reads it, or it has"
                                    + " more than 256 KiB.",
                    type = "object")
            @Nullable
            JsonNode value,

            @Schema(description = "The first 4 KiB of its bytes, base64.")
            String start) {}

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "Redrive", description = "Which dead letters are sent to their topics again.")
    record RedriveJson(
            @Schema(description = "Those of this topic only.") @Nullable
            String topic,

            @Schema(description = "Those that this processor or worker put aside only.") @Nullable
            String by,

            @Schema(description = "Those with this record only, such as SubmitTurn.") @Nullable
            String type,

            @Schema(description = "Not before.") @Nullable Instant from,
            @Schema(description = "Before.") @Nullable Instant to,

            @Schema(description = "How many at once: 100, at most 1000.") @Nullable
            Integer limit) {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "Redriven", description = "What was sent again.")
    record RedrivenJson(
            @Schema(description = "Ids of those that were sent to their topics.")
            List<String> redriven,

            @Schema(description = "How many more were meant: ask again.")
            int left) {}

    @Get
    @RequiresCapability(Capability.HOST_MANAGE)
    @Operation(summary = "List dead letters", description = "The newest first, up to 10,000, without what is in them.")
    @ApiResponse(responseCode = "200", description = "A page of them.")
    Page<DeadLetter> list(
            @Parameter(description = "The topic on which they stood.") @Nullable @QueryValue String topic,
            @Parameter(description = "Who put them aside.") @Nullable @QueryValue String by,
            @Parameter(description = "The record, such as SubmitTurn.") @Nullable @QueryValue String type,
            @Parameter(description = "Not before.") @Nullable @QueryValue Instant from,
            @Parameter(description = "Before.") @Nullable @QueryValue Instant to,
            @Nullable @QueryValue Integer limit,
            @Parameter(description = "The last one's id that was seen.") @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        caller.requireOperator();
        int max = Cursor.limit(limit);
        List<DeadLetter> found = queue.find(start(from), which(topic, by, type, to));
        if (cursor != null) {
            place(cursor);
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

    private static Place place(String id) {
        return DeadLetter.place(id).orElseThrow(DeadLetterController::notFound);
    }

    private static ApiException notFound() {
        return ApiException.notFound(
                "dead_letter_not_found", "There is no dead letter with this id, or it was deleted.");
    }

    @Get("/{id}")
    @RequiresCapability(Capability.HOST_MANAGE)
    @Audited(source = "dead-letter", action = "read")
    @Operation(summary = "Get a dead letter", description = "With its headers, and what is in it.")
    @ApiResponse(responseCode = "200", description = "The letter.")
    WholeJson show(@PathVariable String id, @Parameter(hidden = true) Caller caller) {
        caller.requireOperator();
        var record = queue.read(place(id)).orElseThrow(DeadLetterController::notFound);
        return new WholeJson(
                found(id, record),
                RecordContents.headers(record),
                contents.value(record.value()),
                RecordContents.start(record.value()));
    }

    private DeadLetter found(String id, ConsumerRecord<byte[], byte[]> record) {
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
            description = "Sends it to its topic again, as it was, once: what was sent before is not sent again.")
    @ApiResponse(responseCode = "200", description = "What was sent.")
    RedrivenJson redrive(@PathVariable String id, @Parameter(hidden = true) Caller caller) {
        caller.requireOperator();
        var record = queue.read(place(id)).orElseThrow(DeadLetterController::notFound);
        DeadLetter letter = DeadLetter.of(record);
        if (!letter.redrivable()) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "not_redrivable",
                    "Records of '" + letter.topic() + "' cannot be re-driven: fix their consumer, then run"
                            + " './parley replay' to read the topic again.");
        }
        return answer(queue.redrive(letter.at(), one -> one.id().equals(id), 1));
    }

    private static RedrivenJson answer(DeadLetterQueue.Redriven done) {
        return new RedrivenJson(done.redriven(), done.left());
    }

    @Post("/redrive")
    @RequiresCapability(Capability.HOST_MANAGE)
    @Audited(source = "dead-letter", action = "redrive")
    @Operation(
            summary = "Re-drive dead letters",
            description = "Sends those that are meant to their topics again, the oldest first; {} means all.")
    @ApiResponse(responseCode = "200", description = "What was sent.")
    RedrivenJson redriveAll(@Body RedriveJson body, @Parameter(hidden = true) Caller caller) {
        caller.requireOperator();
        int max = body.limit() == null ? DEFAULT_REDRIVES : body.limit();
        if (max < 1 || max > MAX_REDRIVES) {
            throw ApiException.badRequest(
                    "invalid_field", "The field 'limit' must be a number from 1 to " + MAX_REDRIVES);
        }
        return answer(queue.redrive(start(body.from()), which(body.topic(), body.by(), body.type(), body.to()), max));
    }
}
